// wrong: requests: exercise 4, one float per lane

constexpr int kTile = 32;  // side of the tile
constexpr int kRows = 8;   // rows of threads in a block

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  for (int r = 0; r < kTile; r += kRows)
    if (in_row + r < rows && in_col < cols)
      tile[threadIdx.y + r][threadIdx.x] = in[(in_row + r) * cols + in_col];
  __syncthreads();

  // Turned, the tile is `cols` high and `rows` wide.
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  for (int r = 0; r < kTile; r += kRows)
    if (out_row + r < cols && out_col < rows)
      out[(out_row + r) * rows + out_col] = tile[threadIdx.x][threadIdx.y + r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  if (rows == 0 || cols == 0) return;  // a grid must not be empty
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_any<<<grid, block>>>(out, in, rows, cols);
}
