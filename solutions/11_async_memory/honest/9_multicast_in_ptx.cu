// honest: multicast and arrivals in PTX
#include <cooperative_groups.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kBlocks = 4, kWidth = 512, kHigh = 8, kStages = 4;
constexpr int kThreads = 32 * (kHigh + 1);  // the last warp asks for copies
using Stage = float[kHigh][kWidth];

__device__ void wait(uint64_t* barrier, int parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}
// What a warp gets for a row and its vector, in all lanes.
__device__ float dot(const float* row, const float4 (&own)[4], int lane);

__global__ void __cluster_dims__(kBlocks) __launch_bounds__(kThreads)
    multiply_rows(float* out, const float* vectors, const float* rows,
                  int height) {
  extern __shared__ __align__(128) Stage stages[];
  __shared__ uint64_t full[kStages], empty[kStages];
  const auto cluster = cooperative_groups::this_cluster();
  const int rank = cluster.block_rank(), lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32, v = blockIdx.x;
  if (threadIdx.x == 0)
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], kHigh * kBlocks);
      ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
  cluster.sync();  // all blocks have begun, and all barriers are made
  const auto fill = [&](int s, const float* from) {  // one thread
    // The four quarters come from four blocks.
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &full[s], sizeof(Stage));
    constexpr int kQuarter = kHigh / kBlocks;
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(
            unsigned(__cvta_generic_to_shared(stages[s][rank * kQuarter]))),
        "l"(from + rank * kQuarter * kWidth), "n"(sizeof(Stage) / kBlocks),
        "r"(unsigned(__cvta_generic_to_shared(&full[s]))), "h"(uint16_t(15))
        : "memory");
  };
  const auto give_back = [&](int s) {  // each warp that multiplies
    // Each of the four blocks fills a part of this block's stage.
    if (lane < kBlocks)
      asm volatile(
          "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;\n"
          "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::
              "r"(unsigned(__cvta_generic_to_shared(&empty[s]))),
          "r"(lane)
          : "memory");
  };
  // No block ends while others write to its memory, or arrive there.
  const auto leave = [&] { cluster.sync(); };  // all threads
  float4 own[4];
  for (int i = 0; i < 4; ++i)
    own[i] =
        reinterpret_cast<const float4*>(vectors + v * kWidth)[lane + 32 * i];
  for (int r = 0, n = 0; r < height; r += kHigh, ++n) {
    const int s = n % kStages, round = n / kStages;
    if (warp == kHigh) {
      if (lane == 0) {
        wait(&empty[s], round % 2 ^ 1);
        fill(s, rows + size_t(r) * kWidth);
      }
      __syncwarp();
    } else {
      wait(&full[s], round % 2);
      const float sum = dot(stages[s][warp], own, lane);
      __syncwarp();
      give_back(s);
      if (lane == 0) out[size_t(v) * height + r + warp] = sum;
    }
  }
  leave();
}

__device__ float dot(const float* row, const float4 (&own)[4], int lane) {
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    const float4 a = reinterpret_cast<const float4*>(row)[lane + 32 * i];
    sum += a.x * own[i].x + a.y * own[i].y + a.z * own[i].z + a.w * own[i].w;
  }
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, step);
  return sum;
}

void multiply(float* out, const float* vectors, const float* rows, int count,
              int height) {
  constexpr int kBytes = kStages * sizeof(Stage);
  cudaFuncSetAttribute(multiply_rows,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  if (height > 0 && count > 0)
    multiply_rows<<<count, kThreads, kBytes>>>(out, vectors, rows, height);
}
