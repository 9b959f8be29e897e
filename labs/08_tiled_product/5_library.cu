// 08_tiled_product/5_library: as fast as the library
//
// A bonus: exercise 4 has 0.88 of cuBLAS, and with 16x8 elements per thread and
// steps of 64, as here, 0.95 can be had. A thread's rows are kDown apart, its
// runs of four columns kRight. What is left to find is where the lanes of a
// warp lie; in which order a thread's products are made; how few reads they
// need, and how early; and where in a step the copies for the next one are
// started.
//
//   ./course grade 08_tiled_product/5_library    what is right, what is not
//   ./course hint  08_tiled_product/5_library    one nudge more each time
#include <cuda_pipeline.h>

constexpr int kRows = 128, kCols = 256, kStep = 64, kThreads = 256;
constexpr int kStages = 2;            // as many tiles
constexpr int kHigh = 16, kWide = 8;  // elements of a thread
constexpr int kParts = 4;             // of the copies of a step
constexpr int kBand = 16;             // rows of blocks that go along together
struct Tiles {                        // of one step; A's rows are padded
  float a[kRows][kStep + 4];
  float b[kStep][kCols];
};
struct Place {
  int e, f;  // row and column of a thread's own
};

// Where the i-th product of a thread is added, of 128.
__device__ constexpr Place place(int i) {
  // Your work begins here.
  // TODO: an order in which each product has an operand of the one before.
  return {i / kWide, i % kWide};
  // Your work ends here.
}

template <int kTall, int kLong, int kPitch>
__device__ void fetch(float* tile, const float* in, int rows, int cols, int top,
                      int left, int part) {
  constexpr int kAtOnce = 4 * kThreads / kLong, kPart = kTall / kParts;
  const int y = threadIdx.x / (kLong / 4) + part * kPart;
  const int x = threadIdx.x % (kLong / 4) * 4;
#pragma unroll
  for (int e = 0; e < kPart; e += kAtOnce) {
    const int row = top + y + e, col = left + x;
    __pipeline_memcpy_async(tile + (y + e) * kPitch + x, in + row * cols + col,
                            16, row < rows && col < cols ? 0 : 16);
  }
}

//! [kernel]
__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  extern __shared__ Tiles tiles[];  // two
  const int across = (n + kCols - 1) / kCols, down = (m + kRows - 1) / kRows;
  const int band = blockIdx.x / (kBand * across) * kBand;
  const int high = min(kBand, down - band);
  const int in_band = blockIdx.x % (kBand * across);
  const int top = (band + in_band % high) * kRows;
  const int left = in_band / high * kCols;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Your work begins here.
  // TODO: neighbours that read the same of A, or of B.
  constexpr int kDown = 8, kRight = 128;
  const int y = warp, x = 4 * lane;
  // Your work ends here.
  const auto fetch_both = [=](int to, int first, int part) {
    fetch<kRows, kStep, kStep + 4>(tiles[to].a[0], a, m, k, top, first, part);
    fetch<kStep, kCols, kCols>(tiles[to].b[0], b, k, n, first, left, part);
  };
  float sum[kHigh][kWide] = {};
  for (int part = 0; part < kParts; ++part)
    if (k > 0) fetch_both(0, 0, part);
  __pipeline_commit();
  int now = 0;
  for (int first = 0; first < k; first += kStep) {
    __pipeline_wait_prior(0);
    __syncthreads();  // all copies are there, and nobody reads the other buffer
    const int next = now == 0 ? kStages - 1 : now - 1, ahead = first + kStep;
    const Tiles& tile = tiles[now];
    // Your work begins here.
    // TODO: fewer reads of A, earlier ones of B, and copies a part at a time.
    for (int part = 0; part < kParts; ++part)
      if (ahead < k) fetch_both(next, ahead, part);
#pragma unroll 1
    for (int i = 0; i < kStep; ++i) {
      float of_a[kHigh];
      float4 of_b[kWide / 4];
      for (int e = 0; e < kHigh; ++e) of_a[e] = tile.a[y + kDown * e][i];
      for (int f = 0; f < kWide / 4; ++f)
        of_b[f] = reinterpret_cast<const float4&>(tile.b[i][x + kRight * f]);
#pragma unroll
      for (int p = 0; p < kHigh * kWide; ++p) {
        const Place at = place(p);
        sum[at.e][at.f] += of_a[at.e] * (&of_b[at.f / 4].x)[at.f % 4];
      }
    }
    // Your work ends here.
    __pipeline_commit();
    if (++now == kStages) now = 0;
  }
#pragma unroll
  for (int e = 0; e < kHigh; ++e)
#pragma unroll
    for (int f = 0; f < kWide; f += 4) {
      const int row = top + y + kDown * e, col = left + x + kRight / 4 * f;
      // A shuffle to the lane itself: so the four sums of a store need not lie
      // in four neighbouring registers before.
      float4 four;
      for (int i = 0; i < 4; ++i)
        (&four.x)[i] = __shfl_sync(0xffffffff, sum[e][f + i], lane);
      if (row < m && col < n)
        *reinterpret_cast<float4*>(c + row * n + col) = four;
    }
}
//! [kernel]

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  constexpr auto kOptIn = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaFuncSetAttribute(multiply, kOptIn, kStages * sizeof(Tiles));
  const int blocks = (n + kCols - 1) / kCols * ((m + kRows - 1) / kRows);
  multiply<<<blocks, kThreads, kStages * sizeof(Tiles)>>>(c, a, b, m, n, k);
}
