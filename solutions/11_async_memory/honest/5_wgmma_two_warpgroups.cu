// honest: two warpgroups share the rows of A

#include <cuda.h>
#include <cuda_bf16.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kTile = 64, kThreads = 128;
using Tile = __nv_bfloat16[kTile][kTile];

#define EIGHT(i)                                                              \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), \
      "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
// Starts to add a product of 64x16 by 64x16 numbers to d.
__device__ void multiply(float* d, uint64_t a, uint64_t b) {
  asm volatile(
      "{.reg .pred p; setp.eq.u32 p, 1, 1;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,"
      "%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
      "%32, %33, p, 1, 1, 0, 0;}"
      : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)
      : "l"(a), "l"(b));
}
__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;"); }
__device__ void wait_for_all() {
  asm volatile(
      "wgmma.commit_group.sync.aligned;\n"
      "wgmma.wait_group.sync.aligned 0;" ::
          : "memory");
}
__device__ uint64_t described(const void* tile) {
  const uint64_t address = __cvta_generic_to_shared(tile);
  return address >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
// Two warpgroups share the rows of A: 64 x 128 of C a block.
constexpr int kGroups = 2;
__global__ void __launch_bounds__(kGroups* kThreads)
    multiply_tiles(const __grid_constant__ CUtensorMap a,
                   const __grid_constant__ CUtensorMap b, float* c, int n,
                   int k) {
  __shared__ alignas(1024) Tile of_a, of_b[kGroups];
  __shared__ uint64_t full;
  const int group = threadIdx.x / kThreads, t = threadIdx.x % kThreads;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kGroups * kTile;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  float sum[kTile / 2] = {};
  for (int step = 0; step < k / kTile; ++step) {
    if (threadIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                     ptx::space_shared, &full,
                                     (1 + kGroups) * sizeof(Tile));
      const int from_a[] = {step * kTile, top};
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, of_a, &a,
                                from_a, &full);
      for (int g = 0; g < kGroups; ++g) {
        const int from_b[] = {step * kTile,
                              left + g * kTile};  // zeros behind the last row
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                  of_b[g], &b, from_b, &full);
      }
    }
    while (!ptx::mbarrier_try_wait_parity(&full, step % 2)) {
    }
    begin();
#pragma unroll
    for (int i = 0; i < kTile; i += 16)
      multiply(sum, described(&of_a[0][i]), described(&of_b[group][0][i]));
    wait_for_all();
    __syncthreads();
  }
  const int row = top + t / 32 * 16 + t % 32 / 4,
            col = left + group * kTile + t % 4 * 2;
  if (left + group * kTile >= n) return;
  for (int j = 0; j < 16; ++j)
    *(float2*)(c + (row + j % 2 * 8) * n + col + j / 2 * 8) =
        make_float2(sum[2 * j], sum[2 * j + 1]);
}

CUtensorMap map_of(const __nv_bfloat16* matrix, int rows, int cols) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                   cudaEnableDefault, &found);
  const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)};
  const cuuint64_t pitch[] = {cols * sizeof(*matrix)};  // bytes
  const cuuint32_t box[] = {kTile, kTile}, step[] = {1, 1};
  CUtensorMap map = {};
  ((decltype(&cuTensorMapEncodeTiled))encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void*)matrix, size, pitch,
      box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

void product(float* c, const __nv_bfloat16* a, const __nv_bfloat16* b, int m,
             int n, int k) {
  multiply_tiles<<<dim3((n / kTile + 1) / 2, m / kTile), kGroups * kThreads>>>(
      map_of(a, m, k), map_of(b, n, k), c, n, k);
}
