// honest: by asynchronous copies, to places as far behind a multiple of 128
// bytes
#include <cuda_pipeline.h>

constexpr int kRadius = 4;                // as many as a float4 has
constexpr int kThreads = 128, kEach = 2;  // float4s of a thread
constexpr int kFours = kEach * kThreads;  // and of a block

__constant__ float coef[kRadius + 1];

__device__ float4 four(const float* in, int n, int i) {  // zeros outside
  if (i < 0 || i >= n) return {0, 0, 0, 0};
  if (i + 3 < n) return *reinterpret_cast<const float4*>(in + i);
  return {in[i], i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0};
}

__device__ void points(float* out, int n, int i, float4 before, float4 own,
                       float4 behind) {
  const float x[12] = {before.x, before.y, before.z, before.w,
                       own.x,    own.y,    own.z,    own.w,
                       behind.x, behind.y, behind.z, behind.w};
  float sum[4];
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    sum[e] = coef[0] * x[4 + e];
#pragma unroll
    for (int k = 1; k <= kRadius; ++k)
      sum[e] += coef[k] * (x[4 + e + k] - x[4 + e - k]);
  }
  if (i + 3 < n)
    *reinterpret_cast<float4*>(out + i) = {sum[0], sum[1], sum[2], sum[3]};
  else
    for (int e = 0; e < 3; ++e)
      if (i + e < n) out[i + e] = sum[e];
}

__device__ void fetch(float4* to, const float* in, int n, int i) {
  if (i >= 0 && i + 3 < n)
    __pipeline_memcpy_async(to, in + i, 16);
  else
    *to = four(in, n, i);
}

__global__ void nine_points(float* out, const float* in, int n) {
  __shared__ float4 tile[kFours + 16];
  const int t = threadIdx.x, first = 4 * kFours * blockIdx.x;
  for (int e = t; e < kFours; e += kThreads)
    fetch(&tile[8 + e], in, n, first + 4 * e);
  if (t == 0) fetch(&tile[7], in, n, first - 4);
  if (t == kThreads - 1) fetch(&tile[kFours + 8], in, n, first + 4 * kFours);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int e = t; e < kFours; e += kThreads)
    points(out, n, first + 4 * e, tile[e + 7], tile[e + 8], tile[e + 9]);
}

void stencil(float* out, const float* in, int n, float c0, float c1, float c2,
             float c3, float c4) {
  if (n == 0) return;  // a grid must not be empty
  const float constants[kRadius + 1] = {c0, c1, c2, c3, c4};
  cudaMemcpyToSymbolAsync(coef, constants, sizeof constants);  // no waiting
  const int blocks = (n + 4 * kFours - 1) / (4 * kFours);
  nine_points<<<blocks, kThreads>>>(out, in, n);
}
