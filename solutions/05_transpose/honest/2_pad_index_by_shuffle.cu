// honest: one lane finds where the row begins, and tells others by a shuffle
// device: both

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  int begin = 0;
  if (x == 0) begin = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile;
  begin = __shfl_sync(0xffffffff, begin, 0);
  tile[y][x] = in[begin + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(
      out, in, rows, cols);
}
