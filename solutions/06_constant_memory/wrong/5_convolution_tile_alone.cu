// wrong: traffic: a tile with its halo, and one result a thread

constexpr int kSide = 11, kRadius = kSide / 2;
constexpr int kCols = 32, kRows = 32;
constexpr int kTileRows = kRows + 2 * kRadius, kTileCols = kCols + 2 * kRadius;

__constant__ float weight[kSide][kSide];

__global__ void weigh(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTileRows][kTileCols];
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  for (int y = threadIdx.y; y < kTileRows; y += kRows)
    for (int x = threadIdx.x; x < kTileCols; x += kCols) {
      const int r = top + y - kRadius, c = left + x - kRadius;
      const bool inside = r >= 0 && r < rows && c >= 0 && c < cols;
      tile[y][x] = inside ? in[r * cols + c] : 0;
    }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int y = 0; y < kSide; ++y)
#pragma unroll
    for (int x = 0; x < kSide; ++x)
      sum += weight[y][x] * tile[threadIdx.y + y][threadIdx.x + x];
  const int row = top + threadIdx.y, col = left + threadIdx.x;
  if (row < rows && col < cols) out[row * cols + col] = sum;
}

void blur(float* out, const float* in, int rows, int cols, float a, float b,
          float c) {
  if (rows == 0 || cols == 0) return;
  float weights[kSide][kSide];
  for (int y = -kRadius; y <= kRadius; ++y)
    for (int x = -kRadius; x <= kRadius; ++x)
      weights[y + kRadius][x + kRadius] =
          expf(-(a * y * y + b * y * x + c * x * x));
  cudaMemcpyToSymbolAsync(weight, weights, sizeof weights);
  const dim3 blocks((cols + kCols - 1) / kCols, (rows + kRows - 1) / kRows);
  weigh<<<blocks, dim3(kCols, kRows)>>>(out, in, rows, cols);
}
