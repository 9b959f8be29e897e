// honest: a warp fetches, and eight write out
#include <cooperative_groups.h>

#include <cuda/pipeline>

constexpr int kTile = 32, kHigh = 8, kThreads = 32 + kTile * kHigh;
constexpr int kEach = 32, kStages = 4;

__global__ void turn_bands(float* out, const float* in, int rows, int cols) {
  __shared__ float tiles[kStages][kTile][kTile + 1];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages>
      state;
  const bool fetches = threadIdx.x < 32;
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile - 1;
  const int top = blockIdx.y * kTile, first = blockIdx.x * kEach;
  const int end = min(first + kEach, cols / kTile);
  auto pipe = cuda::make_pipeline(
      cooperative_groups::this_thread_block(), &state,
      fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int now = first; now < end; ++now) {
    auto& tile = tiles[now % kStages];
    const int left = now * kTile;
    if (fetches) {
      pipe.producer_acquire();
      for (int r = 0; r < kTile; ++r)
        cuda::memcpy_async(&tile[r][x], &in[(top + r) * cols + left + x],
                           sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int r = y; r < kTile; r += kHigh)
        out[(left + r) * rows + top + x] = tile[x][r];
      pipe.consumer_release();
    }
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols / kTile + kEach - 1) / kEach, rows / kTile);
  turn_bands<<<grid, kThreads>>>(out, in, rows, cols);
}
