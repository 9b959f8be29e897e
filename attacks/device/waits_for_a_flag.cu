// attack: waits for a block that never comes
// against: 05_transpose/2_pad
// must: timed_out

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ volatile int flag;
  flag = 0;
  while (flag == 0) {
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
