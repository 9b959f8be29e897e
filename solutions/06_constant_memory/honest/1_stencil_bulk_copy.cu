// honest: a bulk copy brings a block's elements and halo; threads carry the
// ends

#include <cuda/barrier>
#include <utility>
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

__global__ void nine_points(float* out, const float* in, int n) {
  const int t = threadIdx.x, first = 4 * kFours * blockIdx.x;
  __shared__ alignas(16) float4 tile[kFours + 2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (t == 0) init(&bar, kThreads);
  __syncthreads();
  const int from = first == 0 ? 0 : first - 4;
  const int to = min(n / 4 * 4, first + 4 * kFours + 4);
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (t == 0 && to > from) {
    cuda::device::memcpy_async_tx(&tile[(from - first + 4) / 4],
                                  reinterpret_cast<const float4*>(in + from),
                                  cuda::aligned_size_t<16>((to - from) * 4),
                                  bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, (to - from) * 4);
  } else {
    token = bar.arrive();
  }
  if (t == 0 && first == 0) tile[0] = {0, 0, 0, 0};
  for (int e = (to - first) / 4 + 1 + t; e < kFours + 2; e += kThreads)
    tile[e] = four(in, n, first + 4 * (e - 1));
  bar.wait(std::move(token));
  __syncthreads();
  for (int e = t; e < kFours; e += kThreads)
    points(out, n, first + 4 * e, tile[e], tile[e + 1], tile[e + 2]);
}

void stencil(float* out, const float* in, int n, float c0, float c1, float c2,
             float c3, float c4) {
  if (n == 0) return;  // a grid must not be empty
  const float constants[kRadius + 1] = {c0, c1, c2, c3, c4};
  cudaMemcpyToSymbol(coef, constants, sizeof constants);
  const int blocks = (n + 4 * kFours - 1) / (4 * kFours);
  nine_points<<<blocks, kThreads>>>(out, in, n);
}
