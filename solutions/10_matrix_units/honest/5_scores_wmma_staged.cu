// honest: fragments of a library, whose scores are staged in shared memory
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
constexpr int Q = 32, KT = 64, N = 128, P = 72, F = 68;
__global__ void __launch_bounds__(N)
    share(float* p, const __nv_bfloat16* qs, const __nv_bfloat16* ks, int m,
          int n) {
  __shared__ alignas(32) __nv_bfloat16 q[Q][P];
  __shared__ alignas(32) __nv_bfloat16 key[KT][P];
  __shared__ alignas(32) float s[Q][F];
  __shared__ float most[Q], sum[Q];
  const int t = threadIdx.x, w = t / 32, l = t % 32, top = blockIdx.x * Q;
  const uint4 zero = make_uint4(0, 0, 0, 0);
  for (int e = t; e < Q * 8; e += N) {
    const int r = e / 8;
    *(uint4*)&q[r][e % 8 * 8] =
        top + r < m ? ((const uint4*)qs)[(size_t)(top + r) * 8 + e % 8] : zero;
  }
  if (t < Q) most[t] = -INFINITY, sum[t] = 0;
  for (int walk = 0; walk < 2; ++walk)
    for (int first = 0; first < n; first += KT) {
      __syncthreads();
      for (int e = t; e < KT * 8; e += N) {
        const int r = first + e / 8;
        *(uint4*)&key[e / 8][e % 8 * 8] =
            r < n ? ((const uint4*)ks)[(size_t)r * 8 + e % 8] : zero;
      }
      __syncthreads();
      // four warps: 2 x 2 parts of 16 x 32
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> d[2];
      wmma::fill_fragment(d[0], 0.f);
      wmma::fill_fragment(d[1], 0.f);
      for (int k = 0; k < 64; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16,
                       wmma::row_major>
            a;
        wmma::load_matrix_sync(a, &q[w / 2 * 16][k], P);
        for (int j = 0; j < 2; ++j) {
          wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16,
                         wmma::col_major>
              b;
          wmma::load_matrix_sync(b, &key[w % 2 * 32 + 16 * j][k], P);
          wmma::mma_sync(d[j], a, b, d[j]);
        }
      }
      for (int j = 0; j < 2; ++j)
        wmma::store_matrix_sync(&s[w / 2 * 16][w % 2 * 32 + 16 * j], d[j], F,
                                wmma::mem_row_major);
      __syncthreads();
      for (int r = w; r < Q; r += 4) {
        const float x = first + l < n ? s[r][l] / 8 : -INFINITY,
                    y = first + l + 32 < n ? s[r][l + 32] / 8 : -INFINITY;
        if (walk == 0) {
          float best = fmaxf(x, y);
          for (int by = 16; by; by /= 2)
            best = fmaxf(best, __shfl_xor_sync(~0u, best, by));
          best = fmaxf(best, most[r]);
          float v = expf(x - best) + expf(y - best);
          for (int by = 16; by; by /= 2) v += __shfl_xor_sync(~0u, v, by);
          __syncwarp();
          if (l == 0) {
            sum[r] = sum[r] * expf(most[r] - best) + v;
            most[r] = best;
          }
          __syncwarp();
        } else if (top + r < m) {
          float* to = p + (size_t)(top + r) * n + first;
          if (first + l < n) to[l] = expf(x - most[r]) / sum[r];
          if (first + l + 32 < n) to[l + 32] = expf(y - most[r]) / sum[r];
        }
      }
    }
}
void scores(float* p, const __nv_bfloat16* queries, const __nv_bfloat16* keys,
            int m, int n) {
  if (m > 0 && n > 0) share<<<(m + Q - 1) / Q, N>>>(p, queries, keys, m, n);
}
