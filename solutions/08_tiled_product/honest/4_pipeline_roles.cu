// honest: a ninth warp copies, by a pipeline with roles

#include <cooperative_groups.h>

#include <cuda/pipeline>
#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
// A ninth warp copies; eight multiply, and wait for a stage each, not for each
// other.
constexpr int kRows = 128, kCols = 256, kStep = 32, kConsumers = 256,
              kThreads = kConsumers + 32, kStages = 2;
struct Tiles {
  float a[kRows][kStep + 4];
  float4 b[kStep][kCols / 4];
};
__device__ void copy4(float* to, const float* from, const float* any,
                      bool inside) {
  const unsigned at = __cvta_generic_to_shared(to);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at),
               "l"(inside ? from : any), "r"(inside ? 16 : 0)
               : "memory");
}
__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  extern __shared__ Tiles tiles[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages>
      state;
  const auto block = cg::this_thread_block();
  const bool copies = threadIdx.x >= kConsumers;
  auto pipe = cuda::make_pipeline(
      block, &state,
      copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  if (copies) {
    const int lane = threadIdx.x - kConsumers;
    for (int first = 0; first < k; first += kStep) {
      pipe.producer_acquire();
      Tiles& to = tiles[first / kStep % kStages];
      for (int e = lane; e < kRows * kStep / 4; e += 32) {
        const int y = e / 8, x = e % 8 * 4;
        copy4(&to.a[y][x], a + (top + y) * k + first + x, a,
              top + y < m && first + x < k);
      }
      for (int e = lane; e < kStep * kCols / 4; e += 32) {
        const int y = e / 64, x = e % 64;
        copy4(&to.b[y][x].x, b + (first + y) * n + left + 4 * x, b,
              first + y < k && left + 4 * x < n);
      }
      pipe.producer_commit();
    }
    return;
  }
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  float sum[8][16] = {};
  for (int first = 0; first < k; first += kStep) {
    pipe.consumer_wait();
    const Tiles& now = tiles[first / kStep % kStages];
    const volatile auto& a_tile = now.a;
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
      float4 b4[4];
      for (int f = 0; f < 4; ++f) b4[f] = now.b[i][x + 16 * f];
      for (int e = 0; e < 8; ++e) {
        const float a1 = a_tile[y + 16 * e][i];
        for (int f = 0; f < 16; ++f) sum[e][f] += a1 * (&b4[f / 4].x)[f % 4];
      }
    }
    pipe.consumer_release();
  }
  for (int e = 0; e < 8; ++e)
    for (int f = 0; f < 4; ++f) {
      const int row = top + y + 16 * e, col = left + 4 * x + 64 * f;
      if (row < m && col < n)
        *reinterpret_cast<float4*>(c + row * n + col) =
            reinterpret_cast<float4*>(sum[e])[f];
    }
}
void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  constexpr int kBytes = kStages * sizeof(Tiles);
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       kBytes);
  multiply<<<dim3((n + kCols - 1) / kCols, (m + kRows - 1) / kRows), kThreads,
             kBytes>>>(c, a, b, m, n, k);
}
