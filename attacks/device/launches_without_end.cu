// attack: launches kernels without end
// against: 05_transpose/2_pad
// must: not_measurable: asked for more CUDA work
// must: timed_out

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {}

void transpose(float* out, const float* in, int rows, int cols) {
  for (;;) transpose_tile<<<1, 32>>>(out, in, rows, cols);
}
