// honest: fills what hangs over with zeros, and walks over the tiles with few
// blocks

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const int across = (cols + kTile - 1) / kTile,
            down = (rows + kTile - 1) / kTile;
  for (int t = blockIdx.x; t < across * down; t += gridDim.x) {
    const int bx = t % across, by = t / across;
    const int in_row = by * kTile + threadIdx.y;
    const int in_col = bx * kTile + threadIdx.x;
    for (int r = 0; r < kTile; r += kRows)
      tile[threadIdx.y + r][threadIdx.x] =
          in_row + r < rows && in_col < cols
              ? in[size_t(in_row + r) * cols + in_col]
              : 0.0f;
    __syncthreads();

    const int out_row = bx * kTile + threadIdx.y;
    const int out_col = by * kTile + threadIdx.x;
    for (int r = 0; r < kTile; r += kRows)
      if (out_row + r < cols && out_col < rows)
        out[(out_row + r) * rows + out_col] =
            tile[threadIdx.x][threadIdx.y + r];
    __syncthreads();
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  if (rows == 0 || cols == 0) return;
  const int grid = 7;
  transpose_any<<<grid, block>>>(out, in, rows, cols);
}
