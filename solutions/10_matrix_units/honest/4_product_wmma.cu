// honest: wmma; what the edge cuts goes out through shared memory

#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;
// 128 x 128 of C a block of eight warps, 64 x 32 a warp, by wmma; three stages
// of 32.
constexpr int kTile = 128, kThreads = 256, kStep = 32, kStages = 3,
              kPitch = kStep + 8;
using Half = __nv_bfloat16;
struct Stage {
  Half a[kTile][kPitch], b[kTile][kPitch];
};

__device__ void fill(Half (*tile)[kPitch], const Half* in, int rows, int k,
                     int top, int first) {
  for (int e = threadIdx.x; e < kTile * kStep / 8; e += kThreads) {
    const int row = e / 4, col = e % 4 * 8;
    const bool inside = top + row < rows && first + col < k;
    __pipeline_memcpy_async(
        &tile[row][col], inside ? in + size_t(top + row) * k + first + col : in,
        16, inside ? 0 : 16);
  }
}
__global__ void __launch_bounds__(kThreads)
    multiply_tiles(float* c, const Half* a, const Half* b, int m, int n,
                   int k) {
  extern __shared__ __align__(128) unsigned char memory[];
  Stage* const stages = reinterpret_cast<Stage*>(memory);
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, y = warp / 4 * 64,
            x = warp % 4 * 32;
  const int steps = (k + kStep - 1) / kStep;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][2];
  for (auto& row : sum)
    for (auto& f : row) wmma::fill_fragment(f, 0.0f);
  const auto fetch = [&](int s) {
    if (s < steps) {
      fill(stages[s % kStages].a, a, m, k, top, s * kStep);
      fill(stages[s % kStages].b, b, n, k, left, s * kStep);
    }
    __pipeline_commit();
  };
  for (int s = 0; s < kStages - 1; ++s) fetch(s);
  for (int s = 0; s < steps; ++s) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    fetch(s + kStages - 1);
    Stage& now = stages[s % kStages];
#pragma unroll
    for (int i = 0; i < kStep; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, Half, wmma::row_major> p[4];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, Half, wmma::col_major> q[2];
#pragma unroll
      for (int e = 0; e < 4; ++e)
        wmma::load_matrix_sync(p[e], &now.a[y + 16 * e][i], kPitch);
#pragma unroll
      for (int f = 0; f < 2; ++f)
        wmma::load_matrix_sync(q[f], &now.b[x + 16 * f][i], kPitch);
#pragma unroll
      for (int e = 0; e < 4; ++e)
#pragma unroll
        for (int f = 0; f < 2; ++f)
          wmma::mma_sync(sum[e][f], p[e], q[f], sum[e][f]);
    }
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  // A warp's own 16 x 16 in shared memory, as the edge may cut a fragment.
  float* const own = reinterpret_cast<float*>(memory) + warp * 16 * 24;
#pragma unroll
  for (int e = 0; e < 4; ++e)
#pragma unroll
    for (int f = 0; f < 2; ++f) {
      const int row = top + y + 16 * e, col = left + x + 16 * f;
      if (row + 16 <= m && col + 16 <= n) {
        wmma::store_matrix_sync(c + size_t(row) * n + col, sum[e][f], n,
                                wmma::mem_row_major);
        continue;
      }
      wmma::store_matrix_sync(own, sum[e][f], 24, wmma::mem_row_major);
      __syncwarp();
      for (int i = 0; i < 8;
           ++i) {  // four rows of eight at a time, in 32 banks
        const int r = i / 2 * 4 + lane / 8, s = i % 2 * 8 + lane % 8;
        if (row + r < m && col + s < n)
          c[size_t(row + r) * n + col + s] = own[r * 24 + s];
      }
      __syncwarp();
    }
}
void product(float* c, const Half* a, const Half* b, int m, int n, int k) {
  constexpr int kBytes = kStages * sizeof(Stage);
  cudaFuncSetAttribute(multiply_tiles,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  multiply_tiles<<<dim3((n + kTile - 1) / kTile, (m + kTile - 1) / kTile),
                   kThreads, kBytes>>>(c, a, b, m, n, k);
}
