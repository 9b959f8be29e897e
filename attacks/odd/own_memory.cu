// control: allocates memory that it does not need, fills it and frees it
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  float *scratch, *host;
  cudaMalloc(&scratch, rows * cols * sizeof(float));
  cudaMallocHost(&host, rows * cols * sizeof(float));
  cudaMemset(scratch, 0, rows * cols * sizeof(float));
  cudaMemset(out, 0, rows * cols * sizeof(float));
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
  cudaFree(scratch);
  cudaFreeHost(host);
}
