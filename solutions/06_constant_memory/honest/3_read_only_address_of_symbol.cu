// honest: hands the kernel the address of a variable of the module

#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

__device__ float entries[kEntries];

__global__ void look_up(float* out, const int* code, int n,
                        const float* __restrict__ table) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = table[code[i]];
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float cosines[kEntries];
  for (int e = 0; e < kEntries; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  void* table = nullptr;
  cudaGetSymbolAddress(&table, entries);
  cudaMemcpy(table, cosines, sizeof cosines, cudaMemcpyHostToDevice);
  const int blocks = (n + kThreads - 1) / kThreads;
  look_up<<<blocks, kThreads>>>(out, code, n, static_cast<float*>(table));
}
