// honest: sums and differences of mirrored numbers, by 25 of the 64 constants

#include <cmath>

constexpr int kPoints = 8, kHalf = kPoints / 2;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

__global__ void transform(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  float sum[kHalf], difference[kHalf];
#pragma unroll
  for (int x = 0; x < kHalf; ++x) {
    const float left = in[x * n + i], right = in[(kPoints - 1 - x) * n + i];
    sum[x] = left + right, difference[x] = left - right;
  }
  out[i] = sum[0] + sum[1] + sum[2] + sum[3];  // of ones
  out[4 * n + i] = table[4][0] * (sum[0] - sum[1] - sum[2] + sum[3]);
#pragma unroll
  for (int u = 1; u < kPoints; ++u) {
    if (u == 4) continue;
    float result = 0;
#pragma unroll
    for (int x = 0; x < kHalf; ++x)
      result += table[u][x] * (u % 2 == 0 ? sum[x] : difference[x]);
    out[u * n + i] = result;
  }
}

void cosine_transform(float* out, const float* in, int n) {
  if (n == 0) return;
  float cosines[kPoints][kPoints];
  for (int u = 0; u < kPoints; ++u)
    for (int x = 0; x < kPoints; ++x)
      cosines[u][x] = std::cos((2 * x + 1) * u * 3.14159265358979 / 16);
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  transform<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
