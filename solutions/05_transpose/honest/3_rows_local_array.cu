// honest: keeps its four elements in local memory, by an index that the
// compiler does not know

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
  const int from = cols % 3;
#pragma unroll 1
  for (int e = 0; e < kTile / kRows; ++e)
    value[(e + from) % 4] =
        in[(in_row + (e + from) % 4 * kRows) * cols + in_col];
#pragma unroll 1
  for (int e = 0; e < kTile / kRows; ++e)
    tile[threadIdx.y + e * kRows][threadIdx.x] = value[e];
  __syncthreads();
  for (int r = 0; r < kTile; r += kRows)
    out[(out_row + r) * rows + out_col] = tile[threadIdx.x][threadIdx.y + r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_rows<<<grid, block>>>(out, in, rows, cols);
}
