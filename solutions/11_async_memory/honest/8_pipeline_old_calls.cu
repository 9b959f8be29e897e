// honest: by the calls of <cuda_pipeline.h>, which count batches by hand
#include <cuda_pipeline.h>

constexpr int kTile = 32, kThreads = 256, kHigh = kThreads / kTile;
constexpr int kEach = 32;  // tiles of a block

__global__ void __launch_bounds__(kThreads)
    turn_bands(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  const int top = blockIdx.y * kTile, first = blockIdx.x * kEach;
  const int count = min(kEach, cols / kTile - first);  // of this block
  __shared__ float tiles[4][kTile][kTile + 1];

  const auto fetch = [&](int i) {
    const float* const from = in + top * cols + (first + i) * kTile + x;
    for (int r = y; r < kTile; r += kHigh)
      __pipeline_memcpy_async(&tiles[i % 4][r][x], from + r * cols, 4);
    __pipeline_commit();
  };
  for (int i = 0; i < min(3, count); ++i) fetch(i);
  for (int i = 0; i < count; ++i) {
    if (i + 2 < count)
      __pipeline_wait_prior(2);
    else
      __pipeline_wait_prior(0);
    __syncthreads();
    if (i + 3 < count) fetch(i + 3);
    const int left = (first + i) * kTile;
    for (int r = y; r < kTile; r += kHigh)
      out[(left + r) * rows + top + x] = tiles[i % 4][x][r];
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;  // a grid must not be empty
  const dim3 grid((cols / kTile + kEach - 1) / kEach, rows / kTile);
  turn_bands<<<grid, kThreads>>>(out, in, rows, cols);
}
