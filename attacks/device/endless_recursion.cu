// attack: recurses without end on the device
// against: 05_transpose/2_pad
// must: failed kernel

__device__ __noinline__ float deep(float* out, int n) {
  volatile float here[64];
  here[n % 64] = n;
  return deep(out, n + 1) + here[(n + 1) % 64];
}

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  out[0] = deep(out, rows);
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<1, 32>>>(out, in, rows, cols);
}
