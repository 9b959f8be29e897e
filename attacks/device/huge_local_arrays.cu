// attack: needs half a megabyte of local memory a thread
// against: 05_transpose/2_pad
// must: not_measurable: MiB of memory

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  volatile char large[500'000];
  for (int i = 0; i < 500'000; i += 4096) large[(i + rows) % 500'000] = 1;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
