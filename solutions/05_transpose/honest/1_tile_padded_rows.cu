// honest: already pads, and moves four rows a thread

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_tile(float* __restrict__ out,
                               const float* __restrict__ in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows)
    tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows)
    out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kRows)>>>(
      out, in, rows, cols);
}
