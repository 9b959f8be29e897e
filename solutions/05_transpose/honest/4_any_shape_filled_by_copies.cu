// honest: fills the tile by asynchronous copies of four bytes
#include <cuda_pipeline.h>

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, top = blockIdx.y * kTile,
            left = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (top + y < rows && left + x < cols)
      __pipeline_memcpy_async(&tile[y][x], &in[(top + y) * cols + left + x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (left + y < cols && top + x < rows)
      out[(left + y) * rows + top + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_any<<<grid, dim3(kTile, kRows)>>>(out, in, rows, cols);
}
