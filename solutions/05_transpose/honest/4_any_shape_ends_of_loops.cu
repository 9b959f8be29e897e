// honest: puts the edges into the ends of its loops

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_col = blockIdx.x * kTile + threadIdx.x;
  const int high = min(kTile, rows - static_cast<int>(blockIdx.y) * kTile);
  const int wide = min(kTile, cols - static_cast<int>(blockIdx.x) * kTile);
  if (threadIdx.x < wide)
    for (int r = threadIdx.y; r < high; r += kRows)
      tile[r][threadIdx.x] = in[(blockIdx.y * kTile + r) * cols + in_col];
  __syncthreads();

  const int out_col = blockIdx.y * kTile + threadIdx.x;
  if (threadIdx.x >= high) return;
  for (int r = threadIdx.y; r < wide; r += kRows)
    out[(blockIdx.x * kTile + r) * rows + out_col] = tile[threadIdx.x][r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_any<<<grid, block>>>(out, in, rows, cols);
}
