// wrong: requests, uses: each cosine is computed, and nobody reads the table
#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

__global__ void look_up(float* out, const int* code, int n,
                        const float* __restrict__ table) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) {
    const int e = code[i], u = e / 8, x = e % 8;
    int q = (2 * x + 1) * u % 32;
    if (q > 16) q -= 32;
    out[i] = __cosf(q * 0.19634954f);
  }
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;  // a grid must not be empty
  float cosines[kEntries];
  for (int e = 0; e < kEntries; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  const int blocks = (n + kThreads - 1) / kThreads;
  float* table = nullptr;
  cudaMalloc(&table, sizeof cosines);
  cudaMemcpy(table, cosines, sizeof cosines, cudaMemcpyHostToDevice);
  look_up<<<blocks, kThreads>>>(out, code, n, table);
  cudaFree(table);
}
