// honest: wmma; scores go through shared memory to the warp that has the row

#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
// 64 queries a block, 64 keys a step. wmma leaves it open which lane has which
// score, so scores go through shared memory to the warp that has the row.
using Half = __nv_bfloat16;
constexpr int kTile = 64, kWide = 64, kPitch = kWide + 8, kOut = kTile + 8,
              kThreads = 256;

__device__ void fetch(Half (*tile)[kPitch], const Half* in, int rows,
                      int first) {
  for (int e = threadIdx.x; e < kTile * kWide / 8; e += kThreads) {
    const int row = e / 8, col = e % 8 * 8;
    uint4 v = {0, 0, 0, 0};
    if (first + row < rows)
      v = *reinterpret_cast<const uint4*>(in + size_t(first + row) * kWide +
                                          col);
    *reinterpret_cast<uint4*>(&tile[row][col]) = v;
  }
}
__global__ void __launch_bounds__(kThreads)
    shares(float* out, const Half* queries, const Half* keys, int m, int n) {
  __shared__ alignas(128) Half of_queries[kTile][kPitch],
      of_keys[kTile][kPitch];
  __shared__ alignas(128) float s[kTile][kOut];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32,
            top = blockIdx.x * kTile;
  const int y = warp / 2 * 16, x = warp % 2 * 32;
  fetch(of_queries, queries, m, top);
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, Half, wmma::row_major>
      a[kWide / 16];
#pragma unroll
  for (int i = 0; i < kWide / 16; ++i)
    wmma::load_matrix_sync(a[i], &of_queries[y][16 * i], kPitch);
  const auto make_scores = [&](int first) {
    __syncthreads();  // nobody reads the keys, or the scores, of the step
                      // before
    fetch(of_keys, keys, n, first);
    __syncthreads();
#pragma unroll
    for (int f = 0; f < 2; ++f) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
      wmma::fill_fragment(sum, 0.0f);
#pragma unroll
      for (int i = 0; i < kWide / 16; ++i) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, Half, wmma::col_major> b;
        wmma::load_matrix_sync(b, &of_keys[x + 16 * f][16 * i], kPitch);
        wmma::mma_sync(sum, a[i], b, sum);
      }
      wmma::store_matrix_sync(&s[y][x + 16 * f], sum, kOut,
                              wmma::mem_row_major);
    }
    __syncthreads();
  };
  // A warp has eight rows; a lane keeps what it has seen of each.
  float most[8], all[8];
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    most[r] = -INFINITY;
    all[r] = 0;
  }
  for (int first = 0; first < n; first += kTile) {
    make_scores(first);
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
      for (int h = 0; h < 2; ++h)
        if (first + 32 * h + lane < n) {
          const float score = s[8 * warp + r][32 * h + lane] / 8,
                      both = fmaxf(most[r], score);
          all[r] = all[r] * expf(most[r] - both) + expf(score - both);
          most[r] = both;
        }
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    float top_of = most[r];
    for (int apart = 16; apart; apart /= 2)
      top_of = fmaxf(top_of, __shfl_xor_sync(~0u, top_of, apart));
    float sum = most[r] == -INFINITY ? 0 : all[r] * expf(most[r] - top_of);
    for (int apart = 16; apart; apart /= 2)
      sum += __shfl_xor_sync(~0u, sum, apart);
    most[r] = top_of;
    all[r] = 1 / sum;
  }
  for (int first = 0; first < n; first += kTile) {
    make_scores(first);
#pragma unroll
    for (int r = 0; r < 8; ++r)
      for (int h = 0; h < 2; ++h) {
        const int row = top + 8 * warp + r, col = first + 32 * h + lane;
        if (row < m && col < n)
          out[size_t(row) * n + col] =
              expf(s[8 * warp + r][32 * h + lane] / 8 - most[r]) * all[r];
      }
  }
}
void scores(float* p, const Half* queries, const Half* keys, int m, int n) {
  if (m > 0 && n > 0)
    shares<<<(m + kTile - 1) / kTile, kThreads>>>(p, queries, keys, m, n);
}
