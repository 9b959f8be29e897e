// honest: multiplies by nvcuda::wmma

#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>
namespace wmma = nvcuda::wmma;
constexpr int kTile = 64, kThreads = 128, kStep = 32, kPitch = 40, kStages = 4;
__global__ void __launch_bounds__(kThreads)
    multiply_tiles(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b,
                   int n, int k) {
  __shared__ alignas(128) __nv_bfloat16 stages[kStages][2][kTile][kPitch];
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile,
            t = threadIdx.x, steps = k / kStep;
  const auto start = [&](int step) {
    if (step < steps)
      for (int e = t; e < kTile * 4; e += kThreads) {
        const int row = e / 4, col = e % 4 * 8;
        __pipeline_memcpy_async(
            &stages[step % kStages][0][row][col],
            a + (size_t)(top + row) * k + step * kStep + col, 16);
        __pipeline_memcpy_async(
            &stages[step % kStages][1][row][col],
            b + (size_t)(left + row) * k + step * kStep + col, 16);
      }
    __pipeline_commit();
  };
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
  for (auto& f : sum) wmma::fill_fragment(f, 0.0f);
  for (int s = 0; s < kStages - 1; ++s) start(s);
  for (int step = 0; step < steps; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    start(step + kStages - 1);
    for (int kk = 0; kk < kStep; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major>
          p;
      wmma::load_matrix_sync(p, &stages[step % kStages][0][t / 32 * 16][kk],
                             kPitch);
      for (int j = 0; j < 4; ++j) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16,
                       wmma::col_major>
            q;
        wmma::load_matrix_sync(q, &stages[step % kStages][1][16 * j][kk],
                               kPitch);
        wmma::mma_sync(sum[j], p, q, sum[j]);
      }
    }
  }
  for (int j = 0; j < 4; ++j)
    wmma::store_matrix_sync(c + (size_t)(top + t / 32 * 16) * n + left + 16 * j,
                            sum[j], n, wmma::mem_row_major);
}
void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  multiply_tiles<<<dim3(n / kTile, m / kTile), kThreads>>>(c, a, b, n, k);
}
