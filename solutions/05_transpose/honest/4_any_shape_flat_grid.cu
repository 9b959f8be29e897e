// honest: a grid of one dimension, whose blocks take several tiles

constexpr int kTile = 32, kRows = 8;

__global__ void move(float* out, const float* in, int rows, int cols,
                     int across, int tiles) {
  __shared__ float tile[kTile][kTile + 1];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int r0 = t / across * kTile, c0 = t % across * kTile, x = threadIdx.x;
    for (int y = threadIdx.y; y < kTile; y += kRows)
      if (r0 + y < rows && c0 + x < cols)
        tile[y][x] = in[(r0 + y) * cols + c0 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < kTile; y += kRows)
      if (c0 + y < cols && r0 + x < rows)
        out[(c0 + y) * rows + r0 + x] = tile[x][y];
    __syncthreads();
  }
}
void transpose(float* out, const float* in, int rows, int cols) {
  const int across = (cols + kTile - 1) / kTile,
            tiles = across * ((rows + kTile - 1) / kTile);
  if (tiles)
    move<<<min(tiles, 1000), dim3(kTile, kRows)>>>(out, in, rows, cols, across,
                                                   tiles);
}
