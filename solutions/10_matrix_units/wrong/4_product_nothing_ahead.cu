// wrong: uses: a step is fetched and waited for, and none is ahead
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
constexpr int kRows = 256, kCols = 128;  // of C, for a block; a warp has 64x64
constexpr int kUnits = 4, kStages = 4;   // a row's in a step: 16 bytes each
constexpr int kStage = (kRows + kCols) * kUnits;
constexpr int kWide = kCols / 64, kThreads = kRows / 64 * kWide * 32;
constexpr int kSlices = kUnits / 2;  // of a step, 16 numbers of a row each
constexpr int kApart = kThreads / kUnits;  // rows from copy to copy
constexpr int kCopies = (kRows + kCols) / kApart;

__device__ int place(int row, int unit) {  // without conflicts: exercise 2
  return row * kUnits + (unit ^ row / (8 / kUnits) % kUnits);
}
// One instruction, where __pipeline_memcpy_async makes two of what may fill up
// with zeros: one for lanes that copy, one for lanes that fill.
__device__ void copy(uint4* to, const uint4* from, bool inside) {
  const unsigned at = __cvta_generic_to_shared(to);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at),
               "l"(from), "r"(inside ? 16 : 0));
}

__global__ void __launch_bounds__(kThreads)
    multiply_tiles(float* c, const uint4* a, const uint4* b, int m, int n,
                   int units) {
  extern __shared__ uint4 stages[];  // rows of A, and of B below them
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  const int t = threadIdx.x, steps = (units + kUnits - 1) / kUnits;

  // What a thread copies is one unit of some rows, the same in each step: where
  // they begin, or -1 of a row that is not there.
  const int unit = t % kUnits;
  int from[kCopies];
  for (int i = 0; i < kCopies; ++i) {
    const int row = t / kUnits + i * kApart;
    const int at = row < kRows ? top + row : left + row - kRows;
    from[i] = at < (row < kRows ? m : n) ? at * units + unit : -1;
  }
  uint4* const to = stages + place(t / kUnits, unit);
  const auto start = [&](int step) {
    const int first = step * kUnits;
#pragma unroll
    for (int i = 0; i < kCopies; ++i)
      if (step < steps)
        copy(to + step % kStages * kStage + i * kApart * kUnits,
             (i * kApart < kRows ? a : b) + from[i] + first,
             first + unit < units && from[i] >= 0);
    __pipeline_commit();
  };

  // Both halves of eight rows of B, of which one product is made, come into two
  // registers side by side; otherwise they would have to be moved there.
  const int y = t / 32 / kWide * 64, x = t / 32 % kWide * 64;
  const int of_a = y + t % 16, of_b = kRows + x + t % 8 + t % 32 / 16 * 8;
  unsigned p[2][4][4], q[2][4][4];
  const auto read = [&](int step, int slice) {
    const uint4* const tile = stages + step % kStages * kStage;
    for (int i = 0; i < 4; ++i) {
      load_four(p[slice % 2][i],
                tile + place(of_a + 16 * i, 2 * slice + t % 32 / 16));
      load_four(q[slice % 2][i],
                tile + place(of_b + 16 * i, 2 * slice + t / 8 % 2));
    }
  };
  float sum[4][8][4] = {};
  for (int step = 0; step < steps; ++step) {
    start(step);
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int s = 0; s < kSlices; ++s) {
      read(step, s);
      for (int e = 0; e < 32; ++e) {
        const unsigned* const half = &q[s % 2][e % 8 / 2][e % 2 * 2];
        multiply(sum[e / 8][e % 8], p[s % 2][e / 8], half[0], half[1]);
      }
    }
    __syncthreads();
  }
  for (int e = 0; e < 64; ++e) {
    const int row = top + y + e / 16 * 16 + e % 2 * 8 + t % 32 / 4;
    const int col = left + x + e / 2 % 8 * 8 + t % 4 * 2;
    const float* const s = &sum[e / 16][e / 2 % 8][e % 2 * 2];
    if (row < m && col < n)
      *(float2*)(c + row * n + col) = make_float2(s[0], s[1]);
  }
}

void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  constexpr auto kOptIn = cudaFuncAttributeMaxDynamicSharedMemorySize;
  constexpr int kBytes = kStages * kStage * sizeof(uint4);
  cudaFuncSetAttribute(multiply_tiles, kOptIn, kBytes);
  const dim3 grid((n + kCols - 1) / kCols, (m + kRows - 1) / kRows);
  multiply_tiles<<<grid, kThreads, kBytes>>>(c, (const uint4*)a,
                                             (const uint4*)b, m, n, k / 8);
}
