// honest: has its table in a global array of the module, and reads it by __ldg

#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

__device__ float entries[kEntries];

__global__ void look_up(float* out, const int* code, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = __ldg(entries + code[i]);
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float cosines[kEntries];
  for (int e = 0; e < kEntries; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  const int blocks = (n + kThreads - 1) / kThreads;
  cudaMemcpyToSymbol(entries, cosines, sizeof cosines);
  look_up<<<blocks, kThreads>>>(out, code, n);
}
