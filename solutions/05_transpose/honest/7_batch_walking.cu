// honest: 2,112 blocks that walk along the tiles

constexpr int kTile = 32, kRows = 8;

// Blocks are numbered along the tiles of a matrix, and from matrix to matrix:
// a grid has far more of them along x than along y and z.
__global__ void transpose_tile(float* out, const float* in, int rows, int cols,
                               int tiles) {
  __shared__ float tile[kTile][kTile + 1];
  const int across = (cols + kTile - 1) / kTile;
  const int down = (rows + kTile - 1) / kTile;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int matrix = t / (across * down);
    const int top = t / across % down * kTile;
    const int left = t % across * kTile;
    const int x = threadIdx.x, first = matrix * rows * cols;

    for (int y = threadIdx.y; y < kTile; y += kRows)
      if (top + y < rows && left + x < cols)
        tile[y][x] = in[first + (top + y) * cols + left + x];
    __syncthreads();
    for (int y = threadIdx.y; y < kTile; y += kRows)
      if (left + y < cols && top + x < rows)
        out[first + (left + y) * rows + top + x] = tile[x][y];
    __syncthreads();
  }
}

void transpose_all(float* out, const float* in, int count, int rows, int cols) {
  const int across = (cols + kTile - 1) / kTile;
  const int blocks = count * across * ((rows + kTile - 1) / kTile);
  if (blocks == 0) return;  // a grid must not be empty
  transpose_tile<<<min(blocks, 2112), dim3(kTile, kRows)>>>(out, in, rows, cols,
                                                            blocks);
}
