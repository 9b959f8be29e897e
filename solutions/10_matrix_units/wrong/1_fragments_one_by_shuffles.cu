// wrong: uses: of two operands, one comes by wide loads and shuffles
#include <cuda_bf16.h>

constexpr int kTile = 64, kThreads = 128;  // rows of a tile, 16 for each warp
constexpr int kUnits = 8;  // a row's in a step: 16 bytes, 8 numbers each
constexpr int kPitch = kUnits + 1;
using Row = uint4[kPitch];

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

// From `row` and `unit` on: matrices above left, below, above right, below.
__device__ void fragment(unsigned* to, const Row* tile, int row, int unit) {
  const int lane = threadIdx.x % 32;
  load_four(to, &tile[row + lane % 16][unit + lane / 16]);
}

// The same by a load of 16 bytes a lane, and shuffles: lane l loads the unit
// that ldmatrix would have it name, and wants two numbers of row l / 4 of each.
__device__ void by_shuffles(unsigned* to, const Row* tile, int row, int unit) {
  const int lane = threadIdx.x % 32;
  const uint4 mine = tile[row + lane % 16][unit + lane / 16];
  const unsigned words[] = {mine.x, mine.y, mine.z, mine.w};
  for (int i = 0; i < 4; ++i)
    for (int word = 0; word < 4; ++word) {
      const unsigned got =
          __shfl_sync(0xffffffff, words[word], 8 * i + lane / 4);
      if (word == lane % 4) to[i] = got;
    }
}

__global__ void __launch_bounds__(kThreads)
    multiply_tiles(float* c, const uint4* a, const uint4* b, int n, int units) {
  __shared__ Row a_tile[kTile], b_tile[kTile];
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int t = threadIdx.x, y = t / 32 * 16;
  float sum[8][4] = {};  // eight times 16x8 of C, from row y on
  for (int first = 0; first < units; first += kUnits) {
    for (int e = t; e < kTile * kUnits; e += kThreads) {
      const int row = e / kUnits, unit = e % kUnits;
      a_tile[row][unit] = a[(top + row) * units + first + unit];
      b_tile[row][unit] = b[(left + row) * units + first + unit];
    }
    __syncthreads();
    for (int unit = 0; unit < kUnits; unit += 2) {
      unsigned p[4], q[4];
      fragment(p, a_tile, y, unit);
      for (int j = 0; j < 8; j += 2) {
        by_shuffles(q, b_tile, 8 * j, unit);
        multiply(sum[j], p, q[0], q[2]);
        multiply(sum[j + 1], p, q[1], q[3]);
      }
    }
    __syncthreads();
  }
  auto* to = (float2*)(c + (top + y + t % 32 / 4) * n + left + t % 4 * 2);
  for (int j = 0; j < 8; ++j) {
    to[4 * j] = make_float2(sum[j][0], sum[j][1]);
    to[4 * j + 4 * n] = make_float2(sum[j][2], sum[j][3]);  // eight rows below
  }
}

void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  const auto *p = (const uint4*)a, *q = (const uint4*)b;
  multiply_tiles<<<dim3(n / kTile, m / kTile), kThreads>>>(c, p, q, n, k / 8);
}
