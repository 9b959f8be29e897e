// 08_tiled_product/4_pipeline: copy the next tiles while these are multiplied
//
// As exercise 3, with 8x16 elements per thread. In each step all warps wait for
// global memory, then all multiply. But copies to shared memory can go on by
// themselves: __pipeline_memcpy_async(to, from, 16) starts one of 16 bytes (a
// fourth argument, 16: it writes zeros), __pipeline_commit() ends a batch, and
// __pipeline_wait_prior(0) waits for this thread's. Let one buffer fill while
// the other is multiplied: a step has one barrier, and threads store nothing.
//
//   ./course grade 08_tiled_product/4_pipeline    what is right, what is not
//   ./course hint  08_tiled_product/4_pipeline    one nudge more each time
#include <cuda_pipeline.h>

constexpr int kRows = 128, kCols = 256, kStep = 32, kThreads = 256;
struct Tiles {  // of one step; rows of A are padded by 16 bytes
  float a[kRows][kStep + 4];
  float4 b[kStep][kCols / 4];
};

__device__ void fetch(float* tile, int high, int wide, int pitch,
                      const float* in, int rows, int cols, int top, int left) {
  for (int e = 4 * threadIdx.x; e < high * wide; e += 4 * kThreads) {
    const int row = top + e / wide, col = left + e % wide;
    const float* const from = in + row * cols + col;
    float* const to = tile + e / wide * pitch + e % wide;
    // Your work begins here.
    // TODO: a copy that goes on by itself.
    float4& four = reinterpret_cast<float4&>(*to);
    four = {0, 0, 0, 0};
    if (row < rows && col < cols) four = reinterpret_cast<const float4&>(*from);
    // Your work ends here.
  }
}

//! [kernel]
__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  extern __shared__ Tiles tiles[];  // two
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const auto fetch_both = [=](Tiles& to, int first) {
    fetch(to.a[0], kRows, kStep, kStep + 4, a, m, k, top, first);
    fetch(&to.b[0][0].x, kStep, kCols, kCols, b, k, n, first, left);
  };
  float sum[8][16] = {};
  // Your work begins here.
  // TODO: wait for this step's copies, and start those for the next.
  for (int first = 0; first < k; first += kStep) {
    const int now = 0;
    __syncthreads();
    fetch_both(tiles[now], first);
    __syncthreads();
    // Your work ends here.
    const volatile auto& a_tile = tiles[now].a;  // float4s: too many registers
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
      float4 b4[4];
      for (int f = 0; f < 4; ++f) b4[f] = tiles[now].b[i][x + 16 * f];
      for (int e = 0; e < 8; ++e) {
        const float a1 = a_tile[y + 16 * e][i];
        for (int f = 0; f < 16; ++f) sum[e][f] += a1 * (&b4[f / 4].x)[f % 4];
      }
    }
  }
  for (int e = 0; e < 8; ++e)
    for (int f = 0; f < 4; ++f) {
      const int row = top + y + 16 * e, col = left + 4 * x + 64 * f;
      float4* const to = reinterpret_cast<float4*>(c + row * n + col);
      if (row < m && col < n) *to = reinterpret_cast<float4*>(sum[e])[f];
    }
}
//! [kernel]

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  constexpr auto kOptIn = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaFuncSetAttribute(multiply, kOptIn, 2 * sizeof(Tiles));
  const dim3 grid((n + kCols - 1) / kCols, (m + kRows - 1) / kRows);
  multiply<<<grid, kThreads, 2 * sizeof(Tiles)>>>(c, a, b, m, n, k);
}
