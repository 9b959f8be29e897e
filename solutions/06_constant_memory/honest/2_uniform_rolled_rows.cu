// honest: keeps the loop over u rolled, so that constants are loaded

#include <cmath>

constexpr int kPoints = 8;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

__global__ void transform(float* out, const float* in, int n) {
  const size_t i = size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  float point[kPoints];
#pragma unroll
  for (int x = 0; x < kPoints; ++x) point[x] = in[x * n + i];
#pragma unroll 1
  for (int u = 0; u < kPoints; ++u) {
    const float* const row = table[u];
    float sum = 0;
#pragma unroll
    for (int x = 0; x < kPoints; ++x) sum += row[x] * point[x];
    out[u * n + i] = sum;
  }
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
