// 11_async_memory/8_pipeline: a transpose by cuda::pipeline
//
// `out` becomes `in`, transposed; rows and cols are multiples of 32. A block
// turns up to 32 tiles of 32 x 32 numbers, side by side in a band of 32 rows.
// The kernel below has one tile, and loads, stores, and waits in turn.
//
// Have four tiles, and let three be on their way while one is written out: let
// cuda::memcpy_async copy each number straight to its tile, with the pipeline
// of cuda::make_pipeline(), which each thread has for itself. After
// producer_acquire(), copies belong to a batch, which producer_commit() ends.
// consumer_wait() waits for the oldest batch of this thread that was not waited
// for yet; consumer_release() gives its place back. (The calls of
// 10_matrix_units/3_stages become the same instructions, and count as well.)
// One barrier per tile is enough, and no bank has to be waited for.
//
//   ./course grade 11_async_memory/8_pipeline    what is right, what is not
//   ./course hint  11_async_memory/8_pipeline    one nudge more each time
#include <cuda/pipeline>

constexpr int kTile = 32, kThreads = 256, kHigh = kThreads / kTile;
constexpr int kEach = 32;  // tiles of a block

//! [kernel]
__global__ void __launch_bounds__(kThreads)
    turn_bands(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  const int top = blockIdx.y * kTile, first = blockIdx.x * kEach;
  const int count = min(kEach, cols / kTile - first);  // of this block
  // Your work begins here.
  constexpr int kStages = 4, kAhead = kStages - 1;
  __shared__ float tiles[kStages][kTile][kTile + 1];
  auto pipe = cuda::make_pipeline();
  const auto fetch = [&](int i) {
    const int left = (first + i) * kTile;
    pipe.producer_acquire();
    for (int r = y; r < kTile; r += kHigh)
      cuda::memcpy_async(&tiles[i % kStages][r][x],
                         &in[(top + r) * cols + left + x], sizeof(float), pipe);
    pipe.producer_commit();
  };
  for (int i = 0; i < min(kAhead, count); ++i) fetch(i);
  for (int i = 0; i < count; ++i) {
    const int left = (first + i) * kTile;
    pipe.consumer_wait();
    __syncthreads();  // tile i is there, and nobody reads the one before
    if (i + kAhead < count) fetch(i + kAhead);
    for (int r = y; r < kTile; r += kHigh)
      out[(left + r) * rows + top + x] = tiles[i % kStages][x][r];
    pipe.consumer_release();
  }
  // Your work ends here.
}
//! [kernel]

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;  // a grid must not be empty
  const dim3 grid((cols / kTile + kEach - 1) / kEach, rows / kTile);
  turn_bands<<<grid, kThreads>>>(out, in, rows, cols);
}
