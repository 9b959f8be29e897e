// honest: one pipeline for the whole block, whose waits need no barrier besides
#include <cooperative_groups.h>

#include <cuda/pipeline>

constexpr int kTile = 32, kThreads = 256, kHigh = kThreads / kTile;
constexpr int kEach = 32, kStages = 4;

__global__ void turn_bands(float* out, const float* in, int rows, int cols) {
  __shared__ float tiles[kStages][kTile][kTile + 1];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages>
      state;
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  const int top = blockIdx.y * kTile, first = blockIdx.x * kEach;
  const int end = min(first + kEach, cols / kTile);
  auto pipe =
      cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  int next = first;
  for (int now = first; now < end; ++now) {
    for (; next < min(now + kStages, end); ++next) {
      pipe.producer_acquire();
      for (int r = y; r < kTile; r += kHigh)
        cuda::memcpy_async(&tiles[next % kStages][r][x],
                           &in[(top + r) * cols + next * kTile + x],
                           sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    for (int r = y; r < kTile; r += kHigh)
      out[(now * kTile + r) * rows + top + x] = tiles[now % kStages][x][r];
    pipe.consumer_release();
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols / kTile + kEach - 1) / kEach, rows / kTile);
  turn_bands<<<grid, kThreads>>>(out, in, rows, cols);
}
