// A product of floats beyond lab 08: as 08_tiled_product/4_pipeline, with A read in runs of four
// along k, 16 x 8 results a thread, three stages, and sums that the store does not tie to
// neighbouring registers. n and k are multiples of 4. What it is made of was found by trying 80
// shapes.
#pragma once

#include <cuda_pipeline.h>

constexpr int kRows = 128, kCols = 256, kStep = 32, kThreads = 256, kStages = 3;
constexpr int kHigh = 16, kWide = 8; // results of a thread
constexpr int kGroup = 8;            // rows of blocks that go along together, for the cache
struct Tiles {                       // of one step; rows of A are padded by 16 bytes
  float a[kRows][kStep + 4];
  float b[kStep][kCols];
};

template <int kHeight, int kWidth, int kPitch>
__device__ void fetch(float* tile, const float* in, int rows, int cols, int top, int left) {
  const int y = threadIdx.x / (kWidth / 4), x = threadIdx.x % (kWidth / 4) * 4;
#pragma unroll
  for (int e = y; e < y + kHeight; e += 4 * kThreads / kWidth)
    __pipeline_memcpy_async(tile + e * kPitch + x, in + (top + e) * cols + left + x, 16,
                            top + e < rows && left + x < cols ? 0 : 16); // bytes of zeros
}

__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  extern __shared__ Tiles tiles[];
  const int across = (n + kCols - 1) / kCols, down = (m + kRows - 1) / kRows;
  const int first_row = blockIdx.x / (kGroup * across) * kGroup;
  const int high = min(kGroup, down - first_row), in_group = blockIdx.x % (kGroup * across);
  const int top = (first_row + in_group % high) * kRows, left = in_group / high * kCols;
  // Lanes l and l ^ 1 read the same of B, l and l ^ 2 the same of A: reads of 16 bytes take two
  // wavefronts, not four.
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int y = lane % 2 + lane / 8 * 2;             // rows y, y + 8, …
  const int x = warp * 4 * kWide + lane / 2 % 4 * 4; // four columns from x, and from x + 16
  const auto fetch_both = [=](int stage, int first) {
    fetch<kRows, kStep, kStep + 4>(tiles[stage].a[0], a, m, k, top, first);
    fetch<kStep, kCols, kCols>(tiles[stage].b[0], b, k, n, first, left);
  };
  float sum[kHigh][kWide] = {};
  for (int stage = 0; stage < kStages - 1; ++stage) {
    if (stage * kStep < k) fetch_both(stage, stage * kStep);
    __pipeline_commit();
  }
  int now = 0;
  for (int first = 0; first < k; first += kStep) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    const int ahead = first + (kStages - 1) * kStep;
    if (ahead < k) fetch_both(now == 0 ? kStages - 1 : now - 1, ahead);
    __pipeline_commit();
    const Tiles& tile = tiles[now];
#pragma unroll
    for (int i = 0; i < kStep; i += 4) {
      float4 from_a[kHigh];
#pragma unroll
      for (int e = 0; e < kHigh; ++e)
        from_a[e] = *reinterpret_cast<const float4*>(&tile.a[y + 8 * e][i]);
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        float4 from_b[kWide / 4];
        for (int f = 0; f < kWide / 4; ++f)
          from_b[f] = *reinterpret_cast<const float4*>(&tile.b[i + s][x + 16 * f]);
        const auto add = [&](int e, int f) {
          sum[e][f] += (&from_a[e].x)[s] * (&from_b[f / 4].x)[f % 4];
        };
        // In squares of two by two an operand is used twice in a row.
#pragma unroll
        for (int e = 0; e < kHigh; e += 2) {
#pragma unroll
          for (int f = 0; f < kWide; f += 2) {
            add(e, f);
            add(e, f + 1);
            add(e + 1, f + 1);
            add(e + 1, f);
          }
        }
      }
    }
    if (++now == kStages) now = 0;
  }
#pragma unroll
  for (int e = 0; e < kHigh; ++e) {
#pragma unroll
    for (int f = 0; f < kWide; f += 4) {
      const int row = top + y + 8 * e, col = left + x + 4 * f;
      // A shuffle to the lane itself: the sums need not lie in four neighbouring registers before.
      float4 four;
      for (int i = 0; i < 4; ++i) (&four.x)[i] = __shfl_sync(0xffffffff, sum[e][f + i], lane);
      if (row < m && col < n) *reinterpret_cast<float4*>(c + row * n + col) = four;
    }
  }
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  constexpr int kBytes = kStages * sizeof(Tiles);
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  const int blocks = (n + kCols - 1) / kCols * ((m + kRows - 1) / kRows);
  multiply<<<blocks, kThreads, kBytes>>>(c, a, b, m, n, k);
}
