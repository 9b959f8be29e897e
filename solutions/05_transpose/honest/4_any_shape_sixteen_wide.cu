// honest: has tiles 16 wide, padded after every second row

constexpr int kTile = 16;
constexpr int kRows = 16;

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile / 2 * 34];
  const auto word = [](int row, int col) {
    return row / 2 * 34 + row % 2 * kTile + col;
  };

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  for (int r = 0; r < kTile; r += kRows)
    if (in_row + r < rows && in_col < cols)
      tile[word(threadIdx.y + r, threadIdx.x)] =
          in[(in_row + r) * cols + in_col];
  __syncthreads();

  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  for (int r = 0; r < kTile; r += kRows)
    if (out_row + r < cols && out_col < rows)
      out[(out_row + r) * rows + out_col] =
          tile[word(threadIdx.x, threadIdx.y + r)];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_any<<<grid, block>>>(out, in, rows, cols);
}
