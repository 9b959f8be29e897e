// attack: prints what clears a terminal, from a kernel
// against: 05_transpose/2_pad
// must: failed output

#include <cstdio>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  if (threadIdx.x == 0) printf("\x1b[2J\x1b]0;passed\a\xff %s\n", "\x9b31m");
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
