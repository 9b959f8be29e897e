// honest: four results of a column a thread, and a tile that copies fill
#include <cuda_pipeline.h>

constexpr int kSide = 11, kRadius = kSide / 2;
constexpr int kCols = 32, kThreadRows = 8, kEach = 4;
constexpr int kRows = kEach * kThreadRows;
constexpr int kTileRows = kRows + 2 * kRadius, kTileCols = kCols + 2 * kRadius;

__constant__ float weight[kSide][kSide];

__global__ void weigh(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTileRows][kTileCols];
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  for (int y = threadIdx.y; y < kTileRows; y += kThreadRows)
    for (int x = threadIdx.x; x < kTileCols; x += kCols) {
      const int r = top + y - kRadius, c = left + x - kRadius;
      if (r >= 0 && r < rows && c >= 0 && c < cols)
        __pipeline_memcpy_async(&tile[y][x], &in[r * cols + c], sizeof(float));
      else
        tile[y][x] = 0;
    }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();

  float sum[kEach] = {};
#pragma unroll
  for (int x = 0; x < kSide; ++x) {
    float column[kEach + 2 * kRadius];
#pragma unroll
    for (int y = 0; y < kEach + 2 * kRadius; ++y)
      column[y] = tile[kEach * threadIdx.y + y][threadIdx.x + x];
#pragma unroll
    for (int e = 0; e < kEach; ++e)
#pragma unroll
      for (int y = 0; y < kSide; ++y) sum[e] += weight[y][x] * column[e + y];
  }
  const int row = top + kEach * threadIdx.y, col = left + threadIdx.x;
  for (int e = 0; e < kEach; ++e)
    if (row + e < rows && col < cols) out[(row + e) * cols + col] = sum[e];
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
