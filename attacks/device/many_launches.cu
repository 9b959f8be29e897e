// attack: launches 90,000 kernels
// against: 05_transpose/2_pad
// must: timed_out

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {}

void transpose(float* out, const float* in, int rows, int cols) {
  for (int i = 0; i < 90'000; ++i) transpose_tile<<<1, 1024>>>(out, in, rows, cols);
}
