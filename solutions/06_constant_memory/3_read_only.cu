// 06_constant_memory/3_read_only: a table that every lane reads elsewhere
//
// out[i] becomes entry code[i] of the cosine table of exercise 2, laid out as
// 64 floats in a row; each code is from 0 to 63. Here no other division of the
// work helps: which entry a lane wants is in the data. In constant memory, a
// warp with 25 different codes waits for 25 passes.
//
// Global memory has no such rule. Move the table there, and hand it to the
// kernel as a pointer whose data nobody writes: `const float* __restrict__`
// (or read it through __ldg). It is 256 bytes, and stays in the L1 cache.
//
//   ./course grade 06_constant_memory/3_read_only    what is right, what is not
//   ./course hint  06_constant_memory/3_read_only    one nudge more each time
#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

//! [kernel]
// Your work begins here.
__global__ void look_up(float* out, const int* code, int n,
                        const float* __restrict__ table) {
  // Your work ends here.
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = table[code[i]];
}
//! [kernel]

void decode(float* out, const int* code, int n) {
  if (n == 0) return;  // a grid must not be empty
  float cosines[kEntries];
  for (int e = 0; e < kEntries; ++e)
    cosines[e] = std::cos((2 * (e % kPoints) + 1) * (e / kPoints) *
                          3.14159265358979 / 16);
  const int blocks = (n + kThreads - 1) / kThreads;
  // Your work begins here.
  float* table = nullptr;
  cudaMalloc(&table, sizeof cosines);
  cudaMemcpy(table, cosines, sizeof cosines, cudaMemcpyHostToDevice);
  look_up<<<blocks, kThreads>>>(out, code, n, table);
  cudaFree(table);
  // Your work ends here.
}
