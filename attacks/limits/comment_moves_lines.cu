// attack: moves the lines of the PTX by a comment in assembly, so that no access is found
// against: 05_transpose/1_tile
// must: failed coalescing

__global__ void turn(float* out, const float* in, int rows, int cols) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  const float value = in[y * cols + x];
  asm volatile("/* what follows\n has moved up\n by some lines */");
  out[x * rows + y] = value;
}

void transpose(float* out, const float* in, int rows, int cols) {
  turn<<<dim3(cols / 32, rows / 32), dim3(32, 32)>>>(out, in, rows, cols);
}
