// wrong: requests, uses: each thread copies the table to its local memory

#include <cmath>
constexpr int kThreads = 256;
__constant__ float table[64];
__global__ void look_up(float* out, const int* code, int n) {
  float own[64];
#pragma unroll
  for (int e = 0; e < 64; ++e) own[e] = table[e];
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads)
    out[i] = own[code[i]];
}
void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float cosines[64];
  for (int e = 0; e < 64; ++e)
    cosines[e] = std::cos((2 * (e % 8) + 1) * (e / 8) * 3.14159265358979 / 16);
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  const int blocks = (n + 16 * kThreads - 1) / (16 * kThreads);
  look_up<<<blocks, kThreads>>>(out, code, n);
}
