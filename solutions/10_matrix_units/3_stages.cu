// 10_matrix_units/3_stages: three steps ahead
//
// The product of exercise 1 in steps of 32, with asynchronous copies: `fetch`
// starts those of a step into a stage, a tile of A and one of B. The kernel has
// one stage, and fetches, waits and multiplies in turn. Have three or four, and
// fetch as many steps ahead as there is room for. __pipeline_commit() ends a
// batch of copies; __pipeline_wait_prior(n) waits until no more than the n
// latest batches of this thread are on the way. One barrier per step is enough.
//
//   ./course grade 10_matrix_units/3_stages    what is right, what is not
//   ./course hint  10_matrix_units/3_stages    one nudge more each time
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

constexpr int kTile = 64, kThreads = 128;  // rows of a tile, 16 for each warp
constexpr int kUnits = 4;  // a row's in a step: 16 bytes, 8 numbers each
using Tile = uint4[kTile][kUnits + 1];
__device__ void fragment(unsigned* to, const Tile& tile, int row, int unit) {
  const uint4* of = &tile[row + threadIdx.x % 16][unit + threadIdx.x % 32 / 16];
  const unsigned at = __cvta_generic_to_shared(of);
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

__global__ void __launch_bounds__(kThreads)
    multiply_tiles(float* c, const uint4* a, const uint4* b, int n, int units) {
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int t = threadIdx.x, y = t / 32 * 16;
  float sum[8][4] = {};  // eight times 16x8 of C, from row y on
  const auto fetch = [=](Tile(&to)[2], int step) {
    for (int e = t; e < kTile * kUnits; e += kThreads) {
      const int row = e / kUnits, unit = e % kUnits, at = step * kUnits + unit;
      const uint4 *p = a + (top + row) * units, *q = b + (left + row) * units;
      __pipeline_memcpy_async(&to[0][row][unit], p + at, 16);
      __pipeline_memcpy_async(&to[1][row][unit], q + at, 16);
    }
  };
  // Your work begins here.
  constexpr int kStages = 4, kAhead = kStages - 1;
  __shared__ Tile stages[kStages][2];
  const auto start = [&](int step) {
    if (step < units / kUnits) fetch(stages[step % kStages], step);
    __pipeline_commit();  // a batch a step, even if it is empty
  };
  for (int step = 0; step < kAhead; ++step) start(step);
  for (int step = 0; step < units / kUnits; ++step) {
    __pipeline_wait_prior(kAhead - 1);
    __syncthreads();  // this step is there, and nobody reads the one before
    start(step + kAhead);
    const auto& now = stages[step % kStages];
    // Your work ends here.
    for (int unit = 0; unit < kUnits; unit += 2) {
      unsigned p[4], q[4];
      fragment(p, now[0], y, unit);
      for (int j = 0; j < 8; j += 2) {
        fragment(q, now[1], 8 * j, unit);
        multiply(sum[j], p, q[0], q[2]);
        multiply(sum[j + 1], p, q[1], q[3]);
      }
    }
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
