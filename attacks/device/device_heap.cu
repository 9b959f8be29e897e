// attack: fills the heap of the device
// against: 05_transpose/2_pad
// must: failed memory

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  for (;;) memset(malloc(1 << 20), 1, 1 << 20);
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
