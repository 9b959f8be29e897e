// honest: one warp copies and four multiply, by a pipeline with roles

#include <cooperative_groups.h>
#include <cuda_bf16.h>

#include <cuda/pipeline>
namespace cg = cooperative_groups;
// One warp copies, four multiply; a block's pipeline stands between them.
constexpr int kTile = 64, kConsumers = 128, kThreads = kConsumers + 32,
              kStages = 4;
constexpr int kUnits = 4;
using Tile = uint4[kTile][kUnits + 1];
__device__ void load_four(unsigned* to, const void* row) {
  const unsigned at = __cvta_generic_to_shared(row);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(at)
               : "memory");
}
__device__ void multiply(float* c, const unsigned* a, unsigned b, unsigned d) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b), "r"(d));
}

#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void __launch_bounds__(kThreads)
    multiply_tiles(float* c, const uint4* a, const uint4* b, int n, int units) {
  __shared__ Tile stages[kStages][2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages>
      state;
  const auto block = cg::this_thread_block();
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile,
            t = threadIdx.x;
  const bool copies = t >= kConsumers;
  auto pipe = cuda::make_pipeline(
      block, &state,
      copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int steps = units / kUnits;
  if (copies) {
    for (int step = 0; step < steps; ++step) {
      pipe.producer_acquire();
      Tile(&to)[2] = stages[step % kStages];
      for (int e = t - kConsumers; e < kTile * kUnits; e += 32) {
        const int row = e / kUnits, unit = e % kUnits,
                  at = step * kUnits + unit;
        cuda::memcpy_async(&to[0][row][unit], a + (top + row) * units + at,
                           cuda::aligned_size_t<16>(16), pipe);
        cuda::memcpy_async(&to[1][row][unit], b + (left + row) * units + at,
                           cuda::aligned_size_t<16>(16), pipe);
      }
      pipe.producer_commit();
    }
    return;
  }
  const int y = t / 32 * 16, lane = t % 32;
  float sum[8][4] = {};
  for (int step = 0; step < steps; ++step) {
    pipe.consumer_wait();
    Tile(&now)[2] = stages[step % kStages];
    for (int unit = 0; unit < kUnits; unit += 2) {
      unsigned p[4], q[4];
      load_four(p, &now[0][y + lane % 16][unit + lane / 16]);
      for (int j = 0; j < 8; j += 2) {
        load_four(q, &now[1][8 * j + lane % 16][unit + lane / 16]);
        multiply(sum[j], p, q[0], q[2]);
        multiply(sum[j + 1], p, q[1], q[3]);
      }
    }
    pipe.consumer_release();
  }
  auto* to = (float2*)(c + (top + y + lane / 4) * n + left + lane % 4 * 2);
  for (int j = 0; j < 8; ++j) {
    to[4 * j] = make_float2(sum[j][0], sum[j][1]);
    to[4 * j + 4 * n] = make_float2(sum[j][2], sum[j][3]);
  }
}
void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  multiply_tiles<<<dim3(n / kTile, m / kTile), kThreads>>>(
      c, (const uint4*)a, (const uint4*)b, n, k / 8);
}
