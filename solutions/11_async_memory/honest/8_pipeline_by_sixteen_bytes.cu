// honest: a copy a thread and tile, of four numbers, whose units are swizzled
#include <cuda/pipeline>

constexpr int kTile = 32, kThreads = 256;
constexpr int kEach = 32, kStages = 4, kUnits = kTile / 4;

__global__ void turn_bands(float* out, const float* in, int rows, int cols) {
  __shared__ float4 tiles[kStages][kTile][kUnits];
  const int t = threadIdx.x, top = blockIdx.y * kTile;
  const int first = blockIdx.x * kEach;
  const int count = min(kEach, cols / kTile - first);
  auto pipe = cuda::make_pipeline();
  const auto fetch = [&](int i) {
    const int r = t / kUnits, unit = t % kUnits;
    const float* const from =
        in + (top + r) * cols + (first + i) * kTile + 4 * unit;
    pipe.producer_acquire();
    cuda::memcpy_async(&tiles[i % kStages][r][unit ^ r % kUnits], from,
                       cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
  };
  for (int i = 0; i < kStages - 1 && i < count; ++i) fetch(i);
  // A warp has eight rows and four columns at a time: 32 banks, four sectors.
  const int row = t % 8, col = t % 32 / 8;
  for (int i = 0; i < count; ++i) {
    pipe.consumer_wait();
    __syncthreads();
    if (i + kStages - 1 < count) fetch(i + kStages - 1);
    const int unit = t / 32, c = (first + i) * kTile + 4 * unit + col;
    for (int r = row; r < kTile; r += 8) {
      const float4* const at = &tiles[i % kStages][r][unit ^ r % kUnits];
      out[c * rows + top + r] = reinterpret_cast<const float*>(at)[col];
    }
    pipe.consumer_release();
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols / kTile + kEach - 1) / kEach, rows / kTile);
  turn_bands<<<grid, kThreads>>>(out, in, rows, cols);
}
