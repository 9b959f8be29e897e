// honest: computes its predictions from strides by a formula

#include <cuda_runtime.h>

#include <numeric>

// Lanes of one pass group that read `bytes` each, `stride` words apart.
constexpr int conflicts(int stride) { return std::gcd(stride, 32) - 1; }

void predict(int* out) {
  int rows[13] = {};
  int row = 0;
  for (const int stride : {1, 2, 3, 4, 32, 33}) rows[row++] = conflicts(stride);
  rows[row++] = 0;  // one word for all
  rows[row++] = 1;  // two words of bank 0
  rows[row++] = 0;  // letters: four lanes share a word
  rows[row++] = conflicts(1);
  rows[row++] = conflicts(1);
  for (const int floats : {2, 3}) rows[row++] = conflicts(floats);
  cudaMemcpy(out, rows, sizeof rows, cudaMemcpyHostToDevice);
}
