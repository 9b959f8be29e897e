// Rings of stages and flags as they are written for Hopper, in pairs: the mended one, and one with
// a mistake.
#include <cooperative_groups.h>
#include <cuda/ptx>

#include <cstdint>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ unsigned address(const void* p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ unsigned mapped(const void* p, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address(p)), "r"(rank));
  return there;
}
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier, parity)) {
  }
}
__device__ bool elected() {
  unsigned yes;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(yes));
  return yes;
}

// One warp copies by an elected lane, three use; `releases` of them are waited for.
__device__ void specialised(int* out, const int* in, int releases) {
  __shared__ alignas(128) int stage[3][128];
  __shared__ std::uint64_t full[3], empty[3];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], releases);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (warp == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    for (int k = 0; k < 16; ++k) {
      const int s = k % 3, parity = k / 3 & 1;
      wait(&empty[s], parity ^ 1);
      if (elected()) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &full[s], 512);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[s], in + k * 128, 512,
                           &full[s]);
      }
      __syncwarp();
    }
  } else {
    int sum = 0;
    for (int k = 0; k < 16; ++k) {
      const int s = k % 3, parity = k / 3 & 1;
      wait(&full[s], parity);
      for (int j = 0; j < 4; ++j) sum += stage[s][(lane + j * 32 + warp) % 128];
      __syncwarp();
      if (lane == 0) ptx::mbarrier_arrive(&empty[s]);
    }
    out[threadIdx.x - 32] = sum;
  }
}
__global__ void specialised_mended(int* out, const int* in) {
  specialised(out, in, 3);
}
__global__ void specialised_too_few(int* out, const int* in) {
  specialised(out, in, 2);
}

// Each stage goes to both blocks of a cluster by one copy; both release it to the first.
__device__ void shared_ring(int* out, const int* in, bool both) {
  __shared__ alignas(128) int stage[2][128];
  __shared__ std::uint64_t full[2], empty[2];
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], both ? 6 : 3);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  if (threadIdx.x == 0 && rank == 0) {
    for (int k = 0; k < 8; ++k) {
      const int s = k % 2, parity = k / 2 & 1;
      wait(&empty[s], parity ^ 1);
      for (int to = 0; to < 2; ++to)
        asm volatile(
            "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], 512;" ::"r"(
                mapped(&full[s], to))
            : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                   ".multicast::cluster [%0], [%1], 512, [%2], %3;" ::"r"(address(stage[s])),
                   "l"(in + k * 128), "r"(address(&full[s])), "h"((unsigned short)3)
                   : "memory");
    }
  } else if (warp > 0) {
    int sum = 0;
    for (int k = 0; k < 8; ++k) {
      const int s = k % 2, parity = k / 2 & 1;
      wait(&full[s], parity);
      sum += stage[s][threadIdx.x - 32] + stage[s][127 - threadIdx.x % 128];
      __syncwarp();
      if (lane == 0 && (both || rank == 0))
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                         mapped(&empty[s], 0))
                     : "memory");
    }
    out[blockIdx.x * 96 + threadIdx.x - 32] = sum;
  }
  cluster.sync();
}
__global__ void __cluster_dims__(2) shared_ring_mended(int* out, const int* in) {
  shared_ring(out, in, true);
}
__global__ void __cluster_dims__(2) shared_ring_of_one(int* out, const int* in) {
  shared_ring(out, in, false);
}

// A value and a flag, in another block's memory.
template <bool kReleases>
__device__ void flag(int* out, const int* in) {
  __shared__ int ready, value;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) ready = 0;
  cluster.sync();
  if (cluster.block_rank() == 1 && threadIdx.x == 0) {
    *cluster.map_shared_rank(&value, 0) = in[5];
    if (kReleases)
      asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(mapped(&ready, 0))
                   : "memory");
    else
      asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(mapped(&ready, 0))
                   : "memory");
  }
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    int seen;
    do
      asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];"
                   : "=r"(seen)
                   : "r"(address(&ready))
                   : "memory");
    while (!seen);
    out[0] = value;
  }
  cluster.sync();
}
__global__ void __cluster_dims__(2) flag_mended(int* out, const int* in) {
  flag<true>(out, in);
}
__global__ void __cluster_dims__(2) flag_relaxed(int* out, const int* in) {
  flag<false>(out, in);
}

// Block barriers and cluster barriers in turn.
__global__ void __cluster_dims__(4) all_to_all(int* out, const int* in) {
  __shared__ int values[128];
  const auto cluster = cg::this_cluster();
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x] * round;
    __syncthreads();
    if (threadIdx.x < 64) values[threadIdx.x] += values[threadIdx.x + 64];
    cluster.sync();
    for (int r = 0; r < 4; ++r) sum += cluster.map_shared_rank(values, r)[threadIdx.x % 64];
    cluster.sync();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
