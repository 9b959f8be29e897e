// attack: launches two billion blocks
// against: 05_transpose/2_pad
// must: timed_out

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<2147483647, 1024>>>(out, in, rows, cols);
}
