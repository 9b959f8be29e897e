// Clusters: blocks that reach each other's shared memory; kernels that do it as it is meant, and
// with one mistake each.
#include <cooperative_groups.h>
#include <cuda/ptx>

#include <cstdint>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr int kThreads = 64;

// ---- ranks

__global__ void __cluster_dims__(2, 2, 1) ranks(int* out) {
  const auto cluster = cg::this_cluster();
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  const int block = blockIdx.x + gridDim.x * blockIdx.y;
  int* mine = out + 8 * block;
  mine[0] = cluster.block_rank();
  mine[1] = cluster.num_blocks();
  mine[2] = cluster.block_index().x + 10 * cluster.block_index().y;
  mine[3] = cg::this_grid().cluster_rank();
  mine[4] = cg::this_grid().num_clusters();
  mine[5] = cluster.dim_blocks().x + 10 * cluster.dim_blocks().y;
  mine[6] = cluster.num_threads();
}
// The same kernel in clusters that its launch asks for.
__global__ void how_many(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = cg::this_cluster().num_blocks();
}
// What an address says of itself.
__global__ void __cluster_dims__(4, 1, 1) addresses(int* out) {
  __shared__ int own;
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % 4;
  int* theirs = cluster.map_shared_rank(&own, next);
  unsigned small, mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(mapped)
      : "r"((unsigned)__cvta_generic_to_shared(&own)), "r"(next));
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(small) : "r"(mapped));
  int* mine = out + 8 * rank;
  mine[0] = __isShared(&own) != 0;
  mine[1] = __isShared(theirs) != 0;
  mine[2] = __isClusterShared(theirs) != 0;
  mine[3] = cluster.query_shared_rank(theirs);
  mine[4] = cluster.query_shared_rank(&own);
  mine[5] = small;
  mine[6] = cluster.map_shared_rank(&own, rank) == &own;
  mine[7] = mapped >> 24;
  cluster.sync();
}

// ---- a neighbour's values

template <bool kBefore, bool kAfter, bool kBlockOnly>
__device__ void neighbour(int* out, const int* in) {
  __shared__ int values[kThreads];
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  if (kBefore) cluster.sync();
  if (kBlockOnly) __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = cluster.map_shared_rank(values, next)[threadIdx.x];
  if (kAfter) cluster.sync();
}
__global__ void __cluster_dims__(4) neighbour_mended(int* out, const int* in) {
  neighbour<true, true, false>(out, in);
}
__global__ void __cluster_dims__(4) neighbour_too_early(int* out, const int* in) {
  neighbour<false, true, false>(out, in);
}
__global__ void __cluster_dims__(4) neighbour_block_barrier(int* out, const int* in) {
  neighbour<false, true, true>(out, in);
}
__global__ void __cluster_dims__(4) neighbour_ends_too_early(int* out, const int* in) {
  neighbour<true, false, false>(out, in);
}
// A barrier that orders nothing, by its modifiers.
__global__ void __cluster_dims__(2) neighbour_relaxed(int* out, const int* in) {
  __shared__ int values[kThreads];
  const auto cluster = cg::this_cluster();
  values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::
                   : "memory");
  out[blockIdx.x * kThreads + threadIdx.x] =
      cluster.map_shared_rank(values, cluster.block_rank() ^ 1)[threadIdx.x];
  cluster.sync();
}
// Arrive early, wait late.
__global__ void __cluster_dims__(2) split_barrier(int* out, const int* in) {
  __shared__ int values[kThreads];
  const auto cluster = cg::this_cluster();
  values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  cluster.barrier_arrive();
  int own = in[threadIdx.x] * 2;
  cluster.barrier_wait();
  own += cluster.map_shared_rank(values, cluster.block_rank() ^ 1)[threadIdx.x];
  cluster.sync();
  out[blockIdx.x * kThreads + threadIdx.x] = own;
}
// The next round writes what others may still read.
__global__ void __cluster_dims__(2) rounds(int* out, const int* in, int barriers) {
  __shared__ int values[kThreads];
  const auto cluster = cg::this_cluster();
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x] + round;
    cluster.sync();
    sum += cluster.map_shared_rank(values, cluster.block_rank() ^ 1)[threadIdx.x];
    if (barriers > 1) cluster.sync();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
  cluster.sync();
}

// ---- stores and atomics

__global__ void __cluster_dims__(2) histogram(int* out, const int* in, int atomic) {
  __shared__ int bins[32]; // the first 32 bins in block 0, the others in block 1
  const auto cluster = cg::this_cluster();
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  cluster.sync();
  const int bin = in[blockIdx.x * kThreads + threadIdx.x] % 64;
  int* there = cluster.map_shared_rank(bins, bin / 32) + bin % 32;
  if (atomic)
    atomicAdd(there, 1);
  else
    *there += 1;
  cluster.sync();
  if (threadIdx.x < 32) out[cluster.block_rank() * 32 + threadIdx.x] = bins[threadIdx.x];
}
// All forms of an access to the cluster's shared memory, by address.
__global__ void __cluster_dims__(2) forms(int* out, int stride) {
  __shared__ alignas(16) unsigned values[32 * 33];
  const auto cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x) values[i] = i;
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x < 32) {
    unsigned base, own, x, y;
    asm("mapa.shared::cluster.u32 %0, %1, 1;"
        : "=r"(base)
        : "r"((unsigned)__cvta_generic_to_shared(values)));
    asm("mapa.shared::cluster.u32 %0, %1, 0;"
        : "=r"(own)
        : "r"((unsigned)__cvta_generic_to_shared(values)));
    const unsigned at = threadIdx.x * 4 * stride;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(base + at));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(y) : "r"(own + at));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(base + at), "r"(x + 1) : "memory");
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(base + at), "r"(y) : "memory");
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], 5;" : "=r"(x) : "r"(base + at) : "memory");
    out[threadIdx.x] = x;
  }
  cluster.sync();
  if (cluster.block_rank() == 1 && threadIdx.x < 32)
    out[32 + threadIdx.x] = values[threadIdx.x * stride];
}
__global__ void __cluster_dims__(2) beyond_the_cluster(int* out) {
  __shared__ int value;
  const auto cluster = cg::this_cluster();
  value = 1;
  cluster.sync();
  out[blockIdx.x] = *cluster.map_shared_rank(&value, 2);
  cluster.sync();
}

// ---- barriers in a neighbour's memory

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

// Each block sends to the next one, and tells its barrier.
template <int kHow> // 0: stores and arrives; 1: st.async; 2: a bulk copy; 3: does not wait
__device__ void send(int* out, const int* in) {
  __shared__ alignas(16) int mine[kThreads], got[kThreads];
  __shared__ std::uint64_t barrier;
  const auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, kHow == 0 ? kThreads : 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  mine[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  if (kHow == 2) ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (kHow != 0 && threadIdx.x == 0)
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   sizeof got);
  if (kHow == 0) {
    cluster.map_shared_rank(got, next)[threadIdx.x] = mine[threadIdx.x];
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(&barrier, next))
        : "memory");
  } else if (kHow == 2) {
    if (threadIdx.x == 0)
      asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "
                   "[%1], %2, [%3];" ::"r"(mapped(got, next)),
                   "r"(address(mine)), "n"(sizeof got), "r"(mapped(&barrier, next))
                   : "memory");
  } else {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                     mapped(got + threadIdx.x, next)),
                 "r"(mine[threadIdx.x]), "r"(mapped(&barrier, next))
                 : "memory");
  }
  if (kHow != 3) wait(&barrier, 0);
  out[blockIdx.x * kThreads + threadIdx.x] = got[threadIdx.x];
  cluster.sync();
}
__global__ void __cluster_dims__(4) sends_stores(int* out, const int* in) {
  send<0>(out, in);
}
__global__ void __cluster_dims__(4) sends_async(int* out, const int* in) {
  send<1>(out, in);
}
__global__ void __cluster_dims__(4) sends_bulk(int* out, const int* in) {
  send<2>(out, in);
}
__global__ void __cluster_dims__(4) sends_unwaited(int* out, const int* in) {
  send<3>(out, in);
}

// One copy for all blocks of the cluster.
__global__ void __cluster_dims__(4) multicast(int* out, const int* in) {
  __shared__ alignas(16) int got[kThreads];
  __shared__ std::uint64_t barrier;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   sizeof got);
  }
  cluster.sync();
  if (cluster.block_rank() == 1 && threadIdx.x == 0) {
    const unsigned short to = 0b1011;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(address(got)),
                 "l"(in), "n"(sizeof got), "r"(address(&barrier)), "h"(to)
                 : "memory");
  }
  if (cluster.block_rank() != 2) {
    wait(&barrier, 0);
    out[blockIdx.x * kThreads + threadIdx.x] = got[threadIdx.x];
  }
  cluster.sync();
}

// ---- barriers that not all reach

__global__ void __cluster_dims__(2) one_block_stays_away(int* out, const int*) {
  __shared__ std::uint64_t barrier;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 1);
  __syncthreads();
  if (cluster.block_rank() == 1) wait(&barrier, 0); // nobody arrives
  cluster.sync();
  out[threadIdx.x] = 1;
}
