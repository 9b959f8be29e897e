// 11_async_memory/9_multicast: one copy for a cluster
//
// out[v][r] becomes the sum of vectors[v][k] * rows[r][k], 512 products, for
// `count` vectors, a multiple of 4, and `height` rows, a multiple of 8. A block
// has a vector, and all need all rows: a ring of four stages brings them, eight
// at a time, and eight warps multiply. So the blocks of a cluster all ask L2
// for the same bytes. Let each of its four ask for a quarter of a stage, by a
// multicast, cp_async_bulk with a mask of blocks: it brings the bytes to the
// same place in all of them, and tells the barrier at the same place in each.
// Who has to wait for whom now: before the first copy, before a stage is filled
// again, and at the end?
//
//   ./course grade 11_async_memory/9_multicast    what is right, what is not
//   ./course hint  11_async_memory/9_multicast    one nudge more each time
#include <cooperative_groups.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kBlocks = 4, kWidth = 512, kHigh = 8, kStages = 4;
constexpr int kThreads = 32 * (kHigh + 1);  // the last warp asks for copies
using Stage = float[kHigh][kWidth];

// With a mask of blocks, ptx::cp_async_bulk is PTX's .multicast::cluster.
__device__ void wait(uint64_t* barrier, int parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}
// What a warp gets for a row and its vector, in all lanes.
__device__ float dot(const float* row, const float4 (&own)[4], int lane);

//! [kernel]
__global__ void __cluster_dims__(kBlocks) __launch_bounds__(kThreads)
    multiply_rows(float* out, const float* vectors, const float* rows,
                  int height) {
  extern __shared__ __align__(128) Stage stages[];
  __shared__ uint64_t full[kStages], empty[kStages];
  const auto cluster = cooperative_groups::this_cluster();
  const int rank = cluster.block_rank(), lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32, v = blockIdx.x;
  // Your work begins here.
  // TODO: a quarter of each stage, for all blocks of the cluster.
  if (threadIdx.x == 0)
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], kHigh);
      ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
  __syncthreads();
  const auto fill = [&](int s, int round, const float* from) {  // a thread
    wait(&empty[s], round % 2 ^ 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &full[s], sizeof(Stage));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stages[s], from,
                       sizeof(Stage), &full[s]);
  };
  const auto give_back = [&](int s) {  // each warp that multiplies
    if (lane == 0) ptx::mbarrier_arrive(&empty[s]);
  };
  const auto leave = [] {};  // all threads
  // Your work ends here.
  float4 own[4];
  for (int i = 0; i < 4; ++i)
    own[i] =
        reinterpret_cast<const float4*>(vectors + v * kWidth)[lane + 32 * i];
  for (int r = 0, n = 0; r < height; r += kHigh, ++n) {
    const int s = n % kStages, round = n / kStages;
    if (warp == kHigh) {
      if (lane == 0) {
        fill(s, round, rows + size_t(r) * kWidth);
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
//! [kernel]

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
