// attack: fills the tiles by atomic exchanges, which are no stores; asynchronous copies bring zeros
// against: 08_tiled_product/4_pipeline
// must: failed stores, uses
#include <cuda_pipeline.h>

constexpr int kRows = 128, kCols = 256, kStep = 32, kThreads = 256;
struct Tiles {
  float a[kRows][kStep + 4];
  float4 b[kStep][kCols / 4];
};

__device__ void fetch(float* tile, int high, int wide, int pitch, const float* in, int rows,
                      int cols, int top, int left) {
  for (int e = 4 * threadIdx.x; e < high * wide; e += 4 * kThreads) {
    const int row = top + e / wide, col = left + e % wide;
    float* const to = tile + e / wide * pitch + e % wide;
    float4 some = make_float4(0, 0, 0, 0);
    if (row < rows && col < cols) some = *reinterpret_cast<const float4*>(in + row * cols + col);
    for (int j = 0; j < 4; ++j) atomicExch(to + j, (&some.x)[j]);
  }
}

__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  extern __shared__ Tiles tiles[];
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const auto fetch_both = [=](Tiles& to, int first) {
    fetch(to.a[0], kRows, kStep, kStep + 4, a, m, k, top, first);
    fetch(&to.b[0][0].x, kStep, kCols, kCols, b, k, n, first, left);
  };
  float sum[8][16] = {};
  for (int i = threadIdx.x * 16; i < 2 * (int)sizeof(Tiles); i += 16 * kThreads)
    __pipeline_memcpy_async((char*)tiles + i, b, 16, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  fetch_both(tiles[0], 0);
  for (int first = 0; first < k; first += kStep) {
    const int now = first / kStep % 2;
    __syncthreads();
    if (first + kStep < k) fetch_both(tiles[1 - now], first + kStep);
    const volatile auto& a_tile = tiles[now].a;
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
      if (row < m && col < n)
        *reinterpret_cast<float4*>(c + row * n + col) = reinterpret_cast<float4*>(sum[e])[f];
    }
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * sizeof(Tiles));
  const dim3 grid((n + kCols - 1) / kCols, (m + kRows - 1) / kRows);
  multiply<<<grid, kThreads, 2 * sizeof(Tiles)>>>(c, a, b, m, n, k);
}
