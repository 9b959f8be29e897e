// attack: takes whoever comes first for the first block; every access to the count is atomic
// against: 05_transpose/2_pad
// must: failed output, traffic: which block, or which warp, comes first

constexpr int kTile = 32;

__device__ int arrived;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  __shared__ int number;
  const int x = threadIdx.x, y = threadIdx.y;
  if (x == 0 && y == 0) number = atomicAdd(&arrived, 1);
  __syncthreads();
  const int across = number % gridDim.x * kTile, down = number / gridDim.x * kTile;
  tile[y][x] = in[(down + y) * cols + across + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const int none = 0;
  cudaMemcpyToSymbol(arrived, &none, sizeof none);
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
