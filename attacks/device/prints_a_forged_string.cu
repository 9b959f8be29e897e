// attack: prints a string from an address of its choice
// against: 05_transpose/2_pad
// must: failed output

#include <cstdio>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  printf("%s %n %*.*f", (const char*)0x400000, (int*)8, 1000000000, 1000000000, 1.0);
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
