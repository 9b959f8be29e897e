// wrong: traffic, uses: warps load their operands, and mma.sync multiplies
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
//! [descriptor]
__device__ uint64_t described(const void* tile) {
  // Your work begins here.
  const uint64_t address = __cvta_generic_to_shared(tile);
  return address / 16 | 1ull << 16 | 1024ull / 16 << 32 | 1ull << 62;
  // Your work ends here.
}
//! [descriptor]
//! [kernel]
__global__ void __launch_bounds__(kThreads)
    multiply_tiles(const __grid_constant__ CUtensorMap a,
                   const __grid_constant__ CUtensorMap b, float* c, int n,
                   int k) {
  __shared__ alignas(1024) Tile of_a, of_b;
  __shared__ uint64_t full;
  const int t = threadIdx.x, top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  float sum[kTile / 2] = {};
  for (int step = 0; step < k / kTile; ++step) {
    if (t == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                     ptx::space_shared, &full,
                                     2 * sizeof(Tile));
      const int from_a[] = {step * kTile, top}, from_b[] = {step * kTile, left};
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, of_a, &a,
                                from_a, &full);
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, of_b, &b,
                                from_b, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, step % 2)) {
    }
    // Your work begins here.
    const int lane = t % 32, y = t / 32 * 16;
    auto frag = [&](unsigned* to, const void* tile, int row, int unit) {
      const int r = row + lane % 16, u = unit + lane / 16;
      const unsigned at = __cvta_generic_to_shared((const char*)tile + r * 128 +
                                                   (u ^ r % 8) * 16);
      asm volatile(
          "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
          : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
          : "r"(at));
    };
    for (int unit = 0; unit < 8; unit += 2) {
      unsigned p[4], q[4];
      frag(p, of_a, y, unit);
      for (int j = 0; j < 8; j += 2) {
        frag(q, of_b, 8 * j, unit);
        for (int h = 0; h < 2; ++h)
          asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
              "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
              : "+f"(sum[4 * (j + h)]), "+f"(sum[4 * (j + h) + 1]),
                "+f"(sum[4 * (j + h) + 2]), "+f"(sum[4 * (j + h) + 3])
              : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[h]),
                "r"(q[h + 2]));
      }
    }
    // Your work ends here.
    __syncthreads();  // nobody reads the tiles any more
  }
  const int row = top + t / 32 * 16 + t % 32 / 4, col = left + t % 4 * 2;
  for (int j = 0; j < 16; ++j)
    *(float2*)(c + (row + j % 2 * 8) * n + col + j / 2 * 8) =
        make_float2(sum[2 * j], sum[2 * j + 1]);
}
//! [kernel]

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
  multiply_tiles<<<dim3(n / kTile, m / kTile), kThreads>>>(
      map_of(a, m, k), map_of(b, n, k), c, n, k);
}
