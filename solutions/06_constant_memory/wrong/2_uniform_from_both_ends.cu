// wrong: replays: odd lanes begin with the last constant
#include <cmath>

constexpr int kPoints = 8;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

__global__ void transform(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const bool odd = threadIdx.x % 2 == 1;
  float point[kPoints];
#pragma unroll
  for (int x = 0; x < kPoints; ++x) point[x] = in[x * n + i];
#pragma unroll
  for (int u = 0; u < kPoints; ++u) {
    float sum = 0;
#pragma unroll
    for (int x = 0; x < kPoints; ++x) {
      const float factor = odd ? point[kPoints - 1 - x] : point[x];
      sum += table[u][odd ? kPoints - 1 - x : x] * factor;
    }
    out[u * n + i] = sum;
  }
}

void cosine_transform(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  float cosines[kPoints][kPoints];
  for (int u = 0; u < kPoints; ++u)
    for (int x = 0; x < kPoints; ++x)
      cosines[u][x] = std::cos((2 * x + 1) * u * 3.14159265358979 / 16);
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  const int threads = n;
  transform<<<(threads + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
