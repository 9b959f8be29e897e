// attack: takes whoever comes first for the first warp; every access to the count is atomic
// against: 05_transpose/2_pad
// must: failed output: the last block first

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  __shared__ int arrived;
  const int x = threadIdx.x, y = threadIdx.y;
  if (x == 0 && y == 0) arrived = 0;
  __syncthreads();
  int row = 0;
  if (x == 0) row = atomicAdd(&arrived, 1);
  row = __shfl_sync(0xffffffff, row, 0);
  tile[row][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
