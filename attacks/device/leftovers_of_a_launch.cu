// attack: reads global memory that nobody has written
// against: 05_transpose/2_pad
// must: failed output, memory

__global__ void copy(float* out, const float* from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = from[i];
}

void transpose(float* out, const float* in, int rows, int cols) {
  float* fresh;
  cudaMalloc(&fresh, rows * cols * 4);
  copy<<<rows * cols / 1024, 1024>>>(out, fresh);
}
