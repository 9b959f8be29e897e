// honest: a tile of 32 x 32 whose columns move

constexpr int kTile = 32, kRows = 8;

// Blocks are numbered along the tiles of a matrix, and from matrix to matrix:
// a grid has far more of them along x than along y and z.
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile];
  const int across = (cols + kTile - 1) / kTile;
  const int down = (rows + kTile - 1) / kTile;
  const int matrix = blockIdx.x / (across * down);
  const int top = blockIdx.x / across % down * kTile;
  const int left = blockIdx.x % across * kTile;
  const int x = threadIdx.x, first = matrix * rows * cols;

  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (top + y < rows && left + x < cols)
      tile[y][x ^ y] = in[first + (top + y) * cols + left + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (left + y < cols && top + x < rows)
      out[first + (left + y) * rows + top + x] = tile[x][y ^ x];
}

void transpose_all(float* out, const float* in, int count, int rows, int cols) {
  const int across = (cols + kTile - 1) / kTile;
  const int blocks = count * across * ((rows + kTile - 1) / kTile);
  if (blocks == 0) return;  // a grid must not be empty
  transpose_tile<<<blocks, dim3(kTile, kRows)>>>(out, in, rows, cols);
}
