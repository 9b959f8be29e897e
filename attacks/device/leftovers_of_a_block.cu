// attack: reads what another block left in shared memory
// against: 05_transpose/2_pad
// must: failed output, memory

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float left[kTile * kTile];
  const int i = threadIdx.y * kTile + threadIdx.x;
  out[blockIdx.x * kTile * kTile + i] = left[i];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
