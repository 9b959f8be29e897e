// wrong: replays, coalescing: a warp may reach into the next plane
#include <cmath>

constexpr int kPoints = 8;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

__global__ void transform(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= kPoints * n) return;
  const int u = i / n, group = i % n;
  float sum = 0;
  for (int x = 0; x < kPoints; ++x) sum += table[u][x] * in[x * n + group];
  out[u * n + group] = sum;
}

void cosine_transform(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  float cosines[kPoints][kPoints];
  for (int u = 0; u < kPoints; ++u)
    for (int x = 0; x < kPoints; ++x)
      cosines[u][x] = std::cos((2 * x + 1) * u * 3.14159265358979 / 16);
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  const int threads = kPoints * n;
  transform<<<(threads + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
