// honest: waits by the number of younger batches, of which some are empty
#include <cuda/pipeline>

constexpr int kTile = 32, kThreads = 256, kHigh = kThreads / kTile;
constexpr int kEach = 32, kStages = 4;

__global__ void turn_bands(float* out, const float* in, int rows, int cols) {
  __shared__ float tiles[kStages][kTile][kTile];  // turned by a place a row
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  const int top = blockIdx.y * kTile, first = blockIdx.x * kEach;
  const int end = min(first + kEach, cols / kTile);
  auto pipe = cuda::make_pipeline();
  const auto fetch = [&](int tile) {
    pipe.producer_acquire();
    for (int r = y; r < kTile && tile < end; r += kHigh)
      cuda::memcpy_async(&tiles[tile % kStages][r][(x + r) % kTile],
                         &in[(top + r) * cols + tile * kTile + x],
                         sizeof(float), pipe);
    pipe.producer_commit();
  };
  for (int ahead = 0; ahead < kStages - 1; ++ahead) fetch(first + ahead);
  for (int now = first; now < end; ++now) {
    cuda::pipeline_consumer_wait_prior<kStages - 2>(pipe);
    __syncthreads();
    fetch(now + kStages - 1);
    for (int r = y; r < kTile; r += kHigh)
      out[(now * kTile + r) * rows + top + x] =
          tiles[now % kStages][x][(r + x) % kTile];
    pipe.consumer_release();
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols / kTile + kEach - 1) / kEach, rows / kTile);
  turn_bands<<<grid, kThreads>>>(out, in, rows, cols);
}
