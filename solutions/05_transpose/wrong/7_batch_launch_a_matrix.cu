// wrong: launches: a launch for each matrix

constexpr int kTile = 32, kRows = 8;

// Blocks are numbered along the tiles of a matrix, and from matrix to matrix:
// a grid has far more of them along x than along y and z.
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int across = (cols + kTile - 1) / kTile;
  const int down = (rows + kTile - 1) / kTile;
  const int top = blockIdx.x / across % down * kTile;
  const int left = blockIdx.x % across * kTile;
  const int x = threadIdx.x, first = 0;

  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (top + y < rows && left + x < cols)
      tile[y][x] = in[first + (top + y) * cols + left + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (left + y < cols && top + x < rows)
      out[first + (left + y) * rows + top + x] = tile[x][y];
}

void transpose_all(float* out, const float* in, int count, int rows, int cols) {
  const int across = (cols + kTile - 1) / kTile;
  const int blocks = across * ((rows + kTile - 1) / kTile);
  if (blocks == 0) return;  // a grid must not be empty
  for (int i = 0; i < count; ++i)
    transpose_tile<<<blocks, dim3(kTile, kRows)>>>(
        out + i * rows * cols, in + i * rows * cols, rows, cols);
}
