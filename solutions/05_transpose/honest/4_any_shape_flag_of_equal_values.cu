// honest: lets all threads over the edge set one flag to the same value

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];

  __shared__ int hangs_over;
  if (threadIdx.x == 0 && threadIdx.y == 0) hangs_over = 0;
  __syncthreads();
  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  for (int r = 0; r < kTile; r += kRows)
    if (in_row + r < rows && in_col < cols)
      tile[threadIdx.y + r][threadIdx.x] = in[(in_row + r) * cols + in_col];
  if (in_col >= cols || in_row + kTile - kRows >= rows) hangs_over = 1;
  __syncthreads();
  const bool whole = !hangs_over;

  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  for (int r = 0; r < kTile; r += kRows)
    if (whole || (out_row + r < cols && out_col < rows))
      out[(out_row + r) * rows + out_col] = tile[threadIdx.x][threadIdx.y + r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_any<<<grid, block>>>(out, in, rows, cols);
}
