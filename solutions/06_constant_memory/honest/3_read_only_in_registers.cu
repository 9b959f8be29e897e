// honest: keeps the table in registers, two entries a lane, and asks lanes for
// them

#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

__global__ void look_up(float* out, const int* code, int n,
                        const float* __restrict__ table) {
  const int lane = threadIdx.x % 32;
  const float low = table[lane], high = table[lane + 32];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int wanted = i < n ? code[i] : 0;
  const float of_low = __shfl_sync(0xffffffff, low, wanted % 32);
  const float of_high = __shfl_sync(0xffffffff, high, wanted % 32);
  if (i < n) out[i] = wanted < 32 ? of_low : of_high;
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float cosines[kEntries];
  for (int e = 0; e < kEntries; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  float* table = nullptr;
  cudaMalloc(&table, sizeof cosines);
  cudaMemcpy(table, cosines, sizeof cosines, cudaMemcpyHostToDevice);
  look_up<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, code, n, table);
  cudaFree(table);
}
