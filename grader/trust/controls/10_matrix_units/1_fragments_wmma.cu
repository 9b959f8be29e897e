// control: fragments by nvcuda::wmma, rows nine units apart
// against: 10_matrix_units/1_fragments
// must: passed

#include <cuda_bf16.h>
#include <mma.h>

constexpr int kTile = 64, kThreads = 128;
constexpr int kUnits = 8, kPitch = kUnits + 1;
using Row = uint4[kPitch];
using Number = __nv_bfloat16;
using namespace nvcuda;

__global__ void __launch_bounds__(kThreads)
    multiply_tiles(float* c, const uint4* a, const uint4* b, int n, int units) {
  __shared__ Row a_tile[kTile], b_tile[kTile];
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int t = threadIdx.x, y = t / 32 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
  for (auto& each : sum) wmma::fill_fragment(each, 0.0f);
  for (int first = 0; first < units; first += kUnits) {
    for (int e = t; e < kTile * kUnits; e += kThreads) {
      const int row = e / kUnits, unit = e % kUnits;
      a_tile[row][unit] = a[(top + row) * units + first + unit];
      b_tile[row][unit] = b[(left + row) * units + first + unit];
    }
    __syncthreads();
    for (int unit = 0; unit < kUnits; unit += 2) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, Number, wmma::row_major> p;
      wmma::load_matrix_sync(p, (const Number*)&a_tile[y][unit], kPitch * 8);
      for (int j = 0; j < 4; ++j) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, Number, wmma::col_major> q;
        wmma::load_matrix_sync(q, (const Number*)&b_tile[16 * j][unit], kPitch * 8);
        wmma::mma_sync(sum[j], p, q, sum[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    wmma::store_matrix_sync(c + (top + y) * n + left + 16 * j, sum[j], n, wmma::mem_row_major);
}

void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m, int n, int k) {
  const auto *p = (const uint4*)a, *q = (const uint4*)b;
  multiply_tiles<<<dim3(n / kTile, m / kTile), kThreads>>>(c, p, q, n, k / 8);
}
