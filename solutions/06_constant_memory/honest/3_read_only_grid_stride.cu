// honest: strides over the codes with few blocks, and keeps the table for later
// calls

#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

__global__ void look_up(float* out, const int* code, int n,
                        const float* __restrict__ table) {
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads)
    out[i] = table[code[i]];
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float cosines[kEntries];
  for (int e = 0; e < kEntries; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  const int blocks = (n + kThreads - 1) / kThreads;
  static float* table = nullptr;
  if (!table) cudaMalloc(&table, sizeof cosines);
  cudaMemcpy(table, cosines, sizeof cosines, cudaMemcpyHostToDevice);
  const int some = blocks < 64 ? blocks : 64;
  look_up<<<some, kThreads>>>(out, code, n, table);
}
