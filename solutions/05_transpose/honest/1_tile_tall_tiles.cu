// honest: has tiles of 64 rows of 16, two whole sectors a row

constexpr int kWide = 16, kHigh = 64, kThreads = 256;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kHigh][kWide + 1];
  const int top = blockIdx.y * kHigh, left = blockIdx.x * kWide;
  for (int e = threadIdx.x; e < kHigh * kWide; e += kThreads) {
    const int row = e / kWide, col = e % kWide;
    if (top + row < rows) tile[row][col] = in[(top + row) * cols + left + col];
  }
  __syncthreads();
  for (int e = threadIdx.x; e < kHigh * kWide; e += kThreads) {
    const int row = e % kHigh, col = e / kHigh;
    if (top + row < rows) out[(left + col) * rows + top + row] = tile[row][col];
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 grid(cols / kWide, (rows + kHigh - 1) / kHigh);
  transpose_tile<<<grid, kThreads>>>(out, in, rows, cols);
}
