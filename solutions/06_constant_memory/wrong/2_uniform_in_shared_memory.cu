// wrong: shared_bytes: the table is copied to shared memory
#include <cmath>

constexpr int kPoints = 8;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

__global__ void transform(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // A whole group a thread: u and x are counters, the same in every lane.
  __shared__ float copy[kPoints][kPoints];
  if (threadIdx.x == 0)
    for (int u = 0; u < kPoints; ++u)
      for (int x = 0; x < kPoints; ++x) copy[u][x] = table[u][x];
  __syncthreads();
  if (i >= n) return;
  float point[kPoints];
#pragma unroll
  for (int x = 0; x < kPoints; ++x) point[x] = in[x * n + i];
#pragma unroll
  for (int u = 0; u < kPoints; ++u) {
    float sum = 0;
#pragma unroll
    for (int x = 0; x < kPoints; ++x) sum += copy[u][x] * point[x];
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
