// control: has its tile in dynamic shared memory
// against: 05_transpose/2_pad
// must: passed
// device: both

constexpr int kTile = 32;

extern __shared__ float words[];

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  words[y * (kTile + 1) + x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = words[x * (kTile + 1) + y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const int bytes = kTile * (kTile + 1) * sizeof(float);
  cudaFuncSetAttribute(transpose_tile, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile), bytes>>>(out, in, rows,
                                                                                  cols);
}
