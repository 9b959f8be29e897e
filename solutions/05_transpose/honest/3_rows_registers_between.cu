// honest: loads all rows before it stores any, and goes back from the last

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_rows(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;

  float value[kTile / kRows];
#pragma unroll
  for (int e = 0; e < kTile / kRows; ++e)
    value[e] = in[(in_row + e * kRows) * cols + in_col];
#pragma unroll
  for (int e = 0; e < kTile / kRows; ++e)
    tile[threadIdx.y + e * kRows][threadIdx.x] = value[e];
  __syncthreads();
#pragma unroll 1
  for (int r = kTile - kRows; r >= 0; r -= kRows)
    out[(out_row + r) * rows + out_col] = tile[threadIdx.x][threadIdx.y + r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_rows<<<grid, block>>>(out, in, rows, cols);
}
