// wrong: coalescing, traffic: eight results of a column, but no tile: each
// number is loaded once for them all, from the cache

constexpr int kSide = 11, kRadius = kSide / 2;
constexpr int kCols = 32, kThreadRows = 8, kEach = 8;
constexpr int kRows = kEach * kThreadRows;

__constant__ float weight[kSide][kSide];

__global__ void weigh(float* out, const float* in, int rows, int cols) {
  const int first = blockIdx.y * kRows + kEach * threadIdx.y;
  const int col = blockIdx.x * kCols + threadIdx.x;
  float sum[kEach] = {};
#pragma unroll 1
  for (int x = 0; x < kSide; ++x) {
    float number[kEach + 2 * kRadius];
    const int c = col + x - kRadius;
#pragma unroll
    for (int y = 0; y < kEach + 2 * kRadius; ++y) {
      const int r = first + y - kRadius;
      const bool inside = r >= 0 && r < rows && c >= 0 && c < cols;
      number[y] = inside ? in[r * cols + c] : 0;
    }
#pragma unroll
    for (int y = 0; y < kSide; ++y)
#pragma unroll
      for (int e = 0; e < kEach; ++e) sum[e] += weight[y][x] * number[y + e];
  }
  for (int e = 0; e < kEach; ++e)
    if (first + e < rows && col < cols) out[(first + e) * cols + col] = sum[e];
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
  weigh<<<blocks, dim3(kCols, kThreadRows)>>>(out, in, rows, cols);
}
