// attack: sets attributes of kernels to the ends of all numbers, and launches with them
// against: 05_transpose/2_pad
// must: passed
// must: failed launch
// must: not_measurable

constexpr int kTile = 32;

__global__ #include<climits>

    void transpose_tile(float* out, const float* in, int rows, int cols) {
  for (int attribute = -1; attribute < 20; ++attribute)
    for (const int value : {INT_MIN, -1, 0, 232448, INT_MAX})
      cudaFuncSetAttribute(transpose_tile, (cudaFuncAttribute)attribute, value);
  cudaGetLastError();
  cudaFuncSetAttribute(transpose_tile, cudaFuncAttributeMaxDynamicSharedMemorySize, 0);
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
