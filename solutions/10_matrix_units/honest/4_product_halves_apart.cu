// honest: reads fragments among the products, and moves halves of B side by
// side

#include <cuda_bf16.h>
#include <cuda_pipeline.h>

__device__ void load_four(unsigned (&to)[4], unsigned at) {
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
__device__ void copy(unsigned to, const uint4* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
               "l"(from), "r"(inside ? 16 : 0)
               : "memory");
}

constexpr int kRows = 256, kCols = 128;  // of C, for a block; a warp has 64x64
constexpr int kUnits = 4, kStages = 4;   // a row's in a step: 16 bytes each
constexpr int kWide = kCols / 64, kThreads = kRows / 64 * kWide * 32;
constexpr int kRowBytes = kUnits * 16, kStage = (kRows + kCols) * kRowBytes;
constexpr int kApart =
    kThreads / kUnits;  // rows between two copies of a thread
constexpr int kOfA = kRows / kApart, kOfB = kCols / kApart;
static_assert(kApart % 8 == 0,
              "the order of a row's units is that of the row eight below");

__device__ unsigned place(unsigned row, unsigned unit) {  // in bytes
  return row * kRowBytes + (unit ^ row / 2 % kUnits) * 16;
}

__global__ void __launch_bounds__(kThreads)
    multiply_tiles(float* c, const uint4* a, const uint4* b, int m, int n,
                   int units) {
  extern __shared__ uint4
      memory[];  // of each stage rows of A, and of B below them
  const unsigned stages = __cvta_generic_to_shared(memory);
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  const int t = threadIdx.x, steps = (units + kUnits - 1) / kUnits;
  const int y = t / 32 / kWide * 64, x = t / 32 % kWide * 64;

  const int row = t / kUnits, unit = t % kUnits;
  const uint4 *from_a = a + (top + row) * units + unit,
              *from_b = b + (left + row) * units + unit;
  const unsigned to = stages + place(row, unit);
  unsigned into = 0;  // offset of the stage that is filled next
  int first = unit;   // this thread's unit of the step that is fetched next
  const auto start = [&] {
    if (first - unit < units) {
      const bool within = first < units;
#pragma unroll
      for (int i = 0; i < kOfA; ++i)
        copy(to + into + i * kApart * kRowBytes, from_a + i * kApart * units,
             within && top + row + i * kApart < m);
#pragma unroll
      for (int i = 0; i < kOfB; ++i)
        copy(to + into + (kRows + i * kApart) * kRowBytes,
             from_b + i * kApart * units,
             within && left + row + i * kApart < n);
    }
    __pipeline_commit();
    from_a += kUnits, from_b += kUnits, first += kUnits;
    into = into + kStage == kStages * kStage ? 0 : into + kStage;
  };

  const unsigned lane_a = stages + (y + t % 16) * kRowBytes;
  const unsigned lane_b = stages + (kRows + x + t % 16) * kRowBytes;
  const unsigned of_slice[2] = {
      place(t % 16, t % 32 / 16) - t % 16 * kRowBytes,
      place(t % 16, t % 32 / 16 + 2) - t % 16 * kRowBytes};
  unsigned p[2][4][4], q[2][4][4];
  float sum[4][8][4] = {};
  const auto wait = [] {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
  };
  for (int step = 0; step < kStages; ++step) start();
  wait();
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    load_four(p[0][i], lane_a + of_slice[0] + 16 * i * kRowBytes);
    load_four(q[0][i], lane_b + of_slice[0] + 16 * i * kRowBytes);
  }
  unsigned stage = 0;  // offset of the one that is multiplied
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int s = 0; s < 2; ++s) {
      if (s == 1) {
        wait();  // the next step is there, and nobody reads this one any more
        stage = stage + kStage == kStages * kStage ? 0 : stage + kStage;
      }
      const bool more = s == 0 || step + 1 < steps;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (more) {
          load_four(p[1 - s][i],
                    lane_a + stage + of_slice[1 - s] + 16 * i * kRowBytes);
          load_four(q[1 - s][i],
                    lane_b + stage + of_slice[1 - s] + 16 * i * kRowBytes);
        }
#pragma unroll
        for (int j = 0; j < 8; ++j)
          multiply(sum[i][j], p[s][i], q[s][j / 2][j % 2],
                   q[s][j / 2][j % 2 + 2]);
      }
      if (s == 1) start();
    }
  }
#pragma unroll
  for (int e = 0; e < 64; ++e) {
    const int r = top + y + e / 16 * 16 + e % 2 * 8 + t % 32 / 4;
    const int col = left + x + e / 2 % 8 * 8 + t % 4 * 2;
    const float* const s = &sum[e / 16][e / 2 % 8][e % 2 * 2];
    if (r < m && col < n) *(float2*)(c + r * n + col) = make_float2(s[0], s[1]);
  }
}

void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  constexpr auto kOptIn = cudaFuncAttributeMaxDynamicSharedMemorySize;
  cudaFuncSetAttribute(multiply_tiles, kOptIn, kStages * kStage);
  const dim3 grid((n + kCols - 1) / kCols, (m + kRows - 1) / kRows);
  multiply_tiles<<<grid, kThreads, kStages * kStage>>>(
      c, (const uint4*)a, (const uint4*)b, m, n, k / 8);
}
