// attack: fails an assertion whose text clears a terminal
// against: 05_transpose/2_pad
// must: failed kernel

#include <cassert>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  assert(rows == 0 && "\x1b[2J passed");
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
