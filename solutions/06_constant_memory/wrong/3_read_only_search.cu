// wrong: requests, instructions, uses: each lane looks at every constant
#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

__constant__ float table[kEntries];

__global__ void look_up(float* out, const int* code, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const int wanted = code[i];
  float found = 0;
  for (int e = 0; e < kEntries; ++e) found = e == wanted ? table[e] : found;
  out[i] = found;
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;  // a grid must not be empty
  float cosines[kEntries];
  for (int e = 0; e < kEntries; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  const int blocks = (n + kThreads - 1) / kThreads;
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  look_up<<<blocks, kThreads>>>(out, code, n);
}
