// honest: has blocks of 256 threads, a dynamic tile, and finds the symbol by
// its address

constexpr int kRadius = 4;
constexpr int kThreads = 256;
constexpr int kBlock = 4 * kThreads;

__constant__ float coef[kRadius + 1];

__device__ float4 four(const float* in, int n, int i) {
  if (i < 0 || i >= n) return {0, 0, 0, 0};
  if (i + 3 < n) return *reinterpret_cast<const float4*>(in + i);
  return {in[i], i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0};
}

__global__ void nine_points(float* out, const float* in, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + 4 * t;
  extern __shared__ float4 tile[];
  const float4 own = four(in, n, i);
  tile[t + 1] = own;
  if (t == 0) tile[0] = four(in, n, i - 4);
  if (t == kThreads - 1) tile[kThreads + 1] = four(in, n, i + 4);
  __syncthreads();
  const float4 before = tile[t];
  const float4 behind = tile[t + 2];

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

void stencil(float* out, const float* in, int n, float c0, float c1, float c2,
             float c3, float c4) {
  if (n == 0) return;
  const float constants[kRadius + 1] = {c0, c1, c2, c3, c4};
  void* symbol = nullptr;
  cudaGetSymbolAddress(&symbol, coef);
  cudaMemcpy(symbol, constants, sizeof constants, cudaMemcpyHostToDevice);
  nine_points<<<(n + kBlock - 1) / kBlock, kThreads,
                (kThreads + 2) * sizeof(float4)>>>(out, in, n);
}
