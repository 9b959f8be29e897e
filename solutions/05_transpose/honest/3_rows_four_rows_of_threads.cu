// honest: has four rows of threads, with eight elements each

constexpr int kTile = 32;
constexpr int kRows = 4;

__global__ void transpose_rows(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;

  for (int r = 0; r < kTile; r += kRows)
    tile[threadIdx.y + r][threadIdx.x] = in[(in_row + r) * cols + in_col];
  __syncthreads();
  for (int r = 0; r < kTile; r += kRows)
    out[(out_row + r) * rows + out_col] = tile[threadIdx.x][threadIdx.y + r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_rows<<<grid, block>>>(out, in, rows, cols);
}
