// 10_matrix_units/4_product: as fast as mma.sync goes
//
// The product of exercise 1 for any `m`, and `n` and `k` that are multiples of
// 8, none 0. Put together what the exercises before were about, and the
// ratio of chapter 8: below, a warp reads 16 rows of A and 64 of B for 16x64 of
// C. Let it have 64x64, or 64x32, and a block 128x128 or more. The next 16 of k
// can be on their way to registers while these are multiplied.
//
//   ./course grade 10_matrix_units/4_product    what is right, what is not
//   ./course hint  10_matrix_units/4_product    one nudge more each time
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

__device__ void load_four(unsigned* to, const uint4* row) {
  const unsigned at = __cvta_generic_to_shared(row);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(at));
}
__device__ void multiply(float* c, const unsigned* a, unsigned b, unsigned d) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b), "r"(d));
}
// Your work begins here.
constexpr int kTile = 64, kThreads = 128;  // rows of a tile, 16 for each warp
constexpr int kUnits = 4;  // a row's in a step: 16 bytes, 8 numbers each
using Tile = uint4[kTile][kUnits + 1];

__device__ void fill(Tile& tile, const uint4* in, int rows, int units, int top,
                     int first) {
  for (int e = threadIdx.x; e < kTile * kUnits; e += kThreads) {
    const int row = top + e / kUnits, unit = first + e % kUnits;
    const bool inside = row < rows && unit < units;
    __pipeline_memcpy_async(&tile[e / kUnits][e % kUnits],
                            in + row * units + unit, 16, inside ? 0 : 16);
  }
  __pipeline_commit();
}

// TODO: 128x128 of C a block, 64x64 or 64x32 a warp, and some steps ahead.
__global__ void multiply_tiles(float* c, const uint4* a, const uint4* b, int m,
                               int n, int units) {
  __shared__ Tile a_tile, b_tile;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int t = threadIdx.x, y = t / 32 * 16;
  float sum[8][4] = {};  // eight times 16x8 of C, from row y on
  for (int first = 0; first < units; first += kUnits) {
    fill(a_tile, a, m, units, top, first);
    fill(b_tile, b, n, units, left, first);
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int unit = 0; unit < kUnits; unit += 2) {
      unsigned p[4], q[4];
      load_four(p, &a_tile[y + t % 16][unit + t % 32 / 16]);
      for (int j = 0; j < 8; j += 2) {
        load_four(q, &b_tile[8 * j + t % 16][unit + t % 32 / 16]);
        multiply(sum[j], p, q[0], q[2]);
        multiply(sum[j + 1], p, q[1], q[3]);
      }
    }
    __syncthreads();
  }
  for (int e = 0; e < 16; ++e) {
    const int row = top + y + e % 2 * 8 + t % 32 / 4;
    const int col = left + e / 2 * 8 + t % 4 * 2;
    const float* const s = &sum[e / 2][e % 2 * 2];
    if (row < m && col < n)
      *(float2*)(c + row * n + col) = make_float2(s[0], s[1]);
  }
}

void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply_tiles<<<grid, kThreads>>>(c, (const uint4*)a, (const uint4*)b, m, n,
                                     k / 8);
}
// Your work ends here.
