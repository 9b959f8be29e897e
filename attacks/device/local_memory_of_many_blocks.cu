// attack: needs half a megabyte of local memory a thread, in a million blocks
// against: 05_transpose/2_pad
// must: timed_out
// must: not_measurable: MiB of memory
// seconds: 60

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  volatile char large[500'000];
  large[rows] = 1;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<1'000'000, dim3(kTile, kTile)>>>(out, in, rows, cols);
}
