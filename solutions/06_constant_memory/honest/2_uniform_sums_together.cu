// honest: goes over x outside, with eight sums under way

#include <cmath>

constexpr int kPoints = 8;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

__global__ void transform(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  float sum[kPoints] = {};
#pragma unroll
  for (int x = 0; x < kPoints; ++x) {
    const float point = __ldg(in + x * n + i);
#pragma unroll
    for (int u = 0; u < kPoints; ++u) sum[u] += table[u][x] * point;
  }
#pragma unroll
  for (int u = 0; u < kPoints; ++u) out[u * n + i] = sum[u];
}

void cosine_transform(float* out, const float* in, int n) {
  if (n == 0) return;
  float cosines[kPoints][kPoints];
  for (int u = 0; u < kPoints; ++u)
    for (int x = 0; x < kPoints; ++x)
      cosines[u][x] = std::cos((2 * x + 1) * u * 3.14159265358979 / 16);
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  const int threads = n;
  transform<<<(threads + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
