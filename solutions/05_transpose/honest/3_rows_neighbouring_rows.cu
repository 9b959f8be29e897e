// honest: gives a thread four rows side by side

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose_rows(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_col = blockIdx.x * kTile + threadIdx.x;
  const int out_col = blockIdx.y * kTile + threadIdx.x;

  constexpr int kEach = kTile / kRows;
  const auto row_of = [](int e) {
    return kEach * static_cast<int>(threadIdx.y) + e;
  };
  for (int e = 0; e < kEach; ++e)
    tile[row_of(e)][threadIdx.x] =
        in[(blockIdx.y * kTile + row_of(e)) * cols + in_col];
  __syncthreads();
  for (int e = 0; e < kEach; ++e)
    out[(blockIdx.x * kTile + row_of(e)) * rows + out_col] =
        tile[threadIdx.x][row_of(e)];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_rows<<<grid, block>>>(out, in, rows, cols);
}
