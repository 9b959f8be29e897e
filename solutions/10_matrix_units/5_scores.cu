// 10_matrix_units/5_scores: who looks at whom
//
// Attention: there are `m` queries and `n` keys, 64 numbers of bf16 each.
// `m` or `n` may be 0; `n` is a multiple of 8. The score of a query and a key
// is an eighth of their product, and p[i][j] becomes the share of key j for
// query i: exp(score) over the sum of exp(score) of the row. From 89 on exp is
// infinite, and scores may be larger: take the largest from all of them first.
//
// The page is blank. Products are for the matrix units, and keys come through
// shared memory, each time for 32 queries of a block or more. What cannot be
// saved is the time to write `p`.
//
//   ./course grade 10_matrix_units/5_scores    what is right, and what is not
//   ./course hint  10_matrix_units/5_scores    one nudge more each time
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

// Your work begins here.
constexpr int kRows = 64, kThreads = 128;  // queries of a block, 16 for a warp
constexpr int kUnits = 8, kStages = 4;     // of a query or key: 16 bytes each
using Tile = uint4[kRows * kUnits];        // 64 queries, or keys

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
__device__ int place(int row, int unit) {  // without conflicts: exercise 2
  return row * kUnits + (unit ^ row % kUnits);
}
__device__ const uint4* corner(const Tile& tile, int row, int unit) {
  const int lane = threadIdx.x % 32;
  return &tile[place(row + lane % 16, unit + lane / 16)];
}
__device__ void start(Tile& to, const uint4* from, int first, int rows) {
  for (int e = threadIdx.x; e < kRows * kUnits; e += kThreads) {
    const uint4* const unit = from + first * kUnits + e;
    const bool inside = first + e / kUnits < rows;
    uint4* const at = &to[place(e / kUnits, e % kUnits)];
    __pipeline_memcpy_async(at, unit, 16, inside ? 0 : 16);
  }
}
__device__ float power(float score) { return __expf(score / 8); }
// What is known of a row: its largest score, and the sum of all powers.
struct Row {
  float most = -INFINITY, sum = 0;
  __device__ void add(float other, float powers) {
    const float all = fmaxf(most, other);
    sum = sum * power(most - all) + powers * power(other - all);
    most = all;
  }
  // Pairs of neighbours, which for row h of a lane begin at s[j][2 * h].
  __device__ void add(const float (&s)[8][4], int h, int pairs) {
    float top = -INFINITY, powers = 0;
    for (int j = 0; j < 8; ++j)
      if (j < pairs) top = fmaxf(top, fmaxf(s[j][2 * h], s[j][2 * h + 1]));
    for (int j = 0; j < 8; ++j)
      for (int i = 2 * h; j < pairs && i < 2 * h + 2; ++i)
        powers += power(s[j][i] - top);
    add(top, powers);
  }
};
// Twice along the keys: to know each row, and once more for the shares.
__global__ void __launch_bounds__(kThreads)
    share(float* p, const uint4* queries, const uint4* keys, int m, int n) {
  __shared__ Tile stages[kStages], mine;
  const int t = threadIdx.x, y = t / 32 * 16, top = blockIdx.x * kRows;
  const int tiles = (n + kRows - 1) / kRows;
  const auto next = [&](int step) {
    const int first = step % tiles * kRows;
    if (step < 2 * tiles) start(stages[step % kStages], keys, first, n);
    __pipeline_commit();
  };
  start(mine, queries, top, m);
  for (int step = 0; step < kStages - 1; ++step) next(step);
  Row rows[2];  // of this lane, eight apart
  for (int step = 0; step < 2 * tiles; ++step) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    next(step + kStages - 1);
    float s[8][4] = {};
    for (int unit = 0; unit < kUnits; unit += 2) {
      unsigned a[4], b[4];
      load_four(a, corner(mine, y, unit));
      for (int j = 0; j < 8; j += 2) {
        load_four(b, corner(stages[step % kStages], 8 * j, unit));
        multiply(s[j], a, b[0], b[2]);
        multiply(s[j + 1], a, b[1], b[3]);
      }
    }
    const int left = step % tiles * kRows, pairs = min(8, (n - left) / 8);
    for (int h = 0; h < 2; ++h) {
      if (step < tiles) rows[h].add(s, h, pairs);
      for (int away = 1; step == tiles && away < 4; away *= 2)
        rows[h].add(__shfl_xor_sync(0xffffffff, rows[h].most, away),
                    __shfl_xor_sync(0xffffffff, rows[h].sum, away));
      const int row = top + y + 8 * h + t % 32 / 4;
      float2* const to = (float2*)(p + row * n + left + t % 4 * 2);
      for (int j = 0; j < 8; ++j)
        if (step >= tiles && j < pairs && row < m)
          to[4 * j] = {power(s[j][2 * h] - rows[h].most) / rows[h].sum,
                       power(s[j][2 * h + 1] - rows[h].most) / rows[h].sum};
    }
  }
}

void scores(float* p, const __nv_bfloat16* queries, const __nv_bfloat16* keys,
            int m, int n) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  share<<<(m + kRows - 1) / kRows, kThreads>>>(p, (const uint4*)queries,
                                               (const uint4*)keys, m, n);
}
// Your work ends here.
