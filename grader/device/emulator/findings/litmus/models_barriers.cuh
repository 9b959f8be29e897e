// Shapes as in models.cu where threads meet at a barrier in memory, or are of the two blocks of a
// cluster.
#pragma once
#include "handover.cuh"

#include <cuda/ptx>

namespace barriers {
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = std::uint64_t;

__device__ inline unsigned address_of(Barrier& barrier) {
  return static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
}
__device__ inline void arrive(Barrier& barrier) {
  ptx::mbarrier_arrive(&barrier);
}
__device__ inline void arrive_relaxed(Barrier& barrier) {
  asm volatile("mbarrier.arrive.relaxed.cta.shared.b64 _, [%0];" ::"r"(address_of(barrier))
               : "memory");
}
__device__ inline bool test(Barrier& barrier, int parity = 0) {
  return ptx::mbarrier_test_wait_parity(&barrier, parity);
}
__device__ inline bool try_once(Barrier& barrier, int parity = 0) {
  return ptx::mbarrier_try_wait_parity(&barrier, parity);
}
__device__ inline void await(Barrier& barrier, int parity = 0) {
  while (!try_once(barrier, parity)) {
  }
}
} // namespace barriers
using namespace barriers;

// Two warps, of which the first lanes go on behind the barriers' beginning.
#define AT_BARRIERS(name, arrivals, first, second)                                                 \
  KERNEL(name) {                                                                                   \
    __shared__ Barrier full, empty;                                                                \
    __shared__ alignas(16) volatile int words[4];                                                  \
    if (threadIdx.x == 0) {                                                                        \
      ptx::mbarrier_init(&full, arrivals);                                                         \
      ptx::mbarrier_init(&empty, 1);                                                               \
      ptx::fence_proxy_async(ptx::space_shared);                                                   \
    }                                                                                              \
    __syncthreads();                                                                               \
    int* const w = const_cast<int*>(words);                                                        \
    if (threadIdx.x % 32) return;                                                                  \
    if (threadIdx.x == 0) {                                                                        \
      first;                                                                                       \
    } else {                                                                                       \
      second;                                                                                      \
    }                                                                                              \
  }

#define SENDS w[0] = in[0]
#define RECEIVES out[0] = w[0]
AT_BARRIERS(barrier_awaited, 1, SENDS; arrive(full), await(full); RECEIVES)
AT_BARRIERS(barrier_relaxed, 1, SENDS; arrive_relaxed(full), await(full); RECEIVES)
AT_BARRIERS(barrier_early, 1, arrive(full); SENDS, await(full); RECEIVES)
AT_BARRIERS(barrier_tested, 1, SENDS; arrive(full), if (test(full)) RECEIVES)
AT_BARRIERS(barrier_tested_unasked, 1, SENDS; arrive(full), test(full); RECEIVES)
AT_BARRIERS(barrier_tried, 1, SENDS; arrive(full), if (try_once(full)) RECEIVES)
AT_BARRIERS(barrier_tried_unasked, 1, SENDS; arrive(full), try_once(full); RECEIVES)
// Both arrive: the phase ends by either.
AT_BARRIERS(barrier_of_both, 2, SENDS; arrive(full), arrive(full); await(full); RECEIVES)
AT_BARRIERS(barrier_of_one, 1, SENDS; arrive(full), arrive(full); test(full); RECEIVES)
// One word twice: the second store waits until the first was read.
#define SENDS_TWICE                                                                                \
  SENDS;                                                                                           \
  arrive(full);                                                                                    \
  await(empty);                                                                                    \
  w[0] = in[1];                                                                                    \
  arrive(full)
#define RECEIVES_TWICE                                                                             \
  await(full);                                                                                     \
  out[0] = w[0];                                                                                   \
  arrive(empty);                                                                                   \
  await(full, 1);                                                                                  \
  out[1] = w[0]
AT_BARRIERS(ring_of_one, 1, SENDS_TWICE, RECEIVES_TWICE)
// A copy, whose bytes the barrier is told of.
#define COPIES                                                                                     \
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, w, in, 16, &full);                     \
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 16)
AT_BARRIERS(barrier_of_copy, 1, COPIES, await(full); RECEIVES)
AT_BARRIERS(barrier_of_copy_tried, 1, COPIES, try_once(full); RECEIVES)

// ---- two blocks of a cluster: the first writes to shared memory of the second

#define IN_CLUSTER(name, first, second)                                                            \
  extern "C" __global__ void __cluster_dims__(2) name(int* out, const int* in) {                   \
    __shared__ Barrier full;                                                                       \
    __shared__ int words[2];                                                                       \
    const auto cluster = cg::this_cluster();                                                       \
    if (threadIdx.x == 0) {                                                                        \
      words[0] = words[1] = 0;                                                                     \
      ptx::mbarrier_init(&full, 1);                                                                \
      ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);                              \
    }                                                                                              \
    cluster.sync();                                                                                \
    int* const w = cluster.map_shared_rank(words, 1);                                              \
    const unsigned theirs = ([&] {                                                                 \
      unsigned mapped;                                                                             \
      asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(mapped) : "r"(address_of(full)));           \
      return mapped;                                                                               \
    })();                                                                                          \
    if (threadIdx.x == 0 && cluster.block_rank() == 0) {                                           \
      first;                                                                                       \
    } else if (threadIdx.x == 0) {                                                                 \
      second;                                                                                      \
    }                                                                                              \
    (void)theirs;                                                                                  \
    cluster.sync();                                                                                \
  }
#define FLAG(scope) cuda::atomic_ref<int, cuda::thread_scope_##scope>(w[1])
#define ARRIVES(how)                                                                               \
  asm volatile("mbarrier.arrive." how ".cluster.shared::cluster.b64 _, [%0];" ::"r"(theirs)        \
               : "memory")
#define AWAITS(how)                                                                                \
  do {                                                                                             \
    int done = 0;                                                                                  \
    while (!done)                                                                                  \
      asm volatile("{ .reg .pred p;\n"                                                             \
                   "mbarrier.try_wait.parity." how ".cluster.shared::cta.b64 p, [%1], 0;\n"        \
                   "selp.b32 %0, 1, 0, p; }"                                                       \
                   : "=r"(done)                                                                    \
                   : "r"(address_of(full))                                                         \
                   : "memory");                                                                    \
  } while (0)
#define PASSES(how)                                                                                \
  asm volatile("barrier.cluster.arrive." how ".aligned;" ::: "memory");                            \
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory")

IN_CLUSTER(cluster_flag, SENDS; FLAG(device).store(1, cuda::memory_order_release),
                                if (FLAG(device).load(cuda::memory_order_acquire)) RECEIVES)
IN_CLUSTER(cluster_flag_relaxed, SENDS; FLAG(device).store(1, cuda::memory_order_relaxed),
                                        if (FLAG(device).load(cuda::memory_order_acquire)) RECEIVES)
IN_CLUSTER(cluster_flag_block, SENDS; FLAG(block).store(1, cuda::memory_order_release),
                                      if (FLAG(block).load(cuda::memory_order_acquire)) RECEIVES)
IN_CLUSTER(
    cluster_awaited, SENDS; FLAG(device).store(1, cuda::memory_order_release),
                            while (!FLAG(device).load(cuda::memory_order_acquire)) {} RECEIVES)
IN_CLUSTER(cluster_unasked, SENDS; FLAG(device).store(1, cuda::memory_order_release),
                                   FLAG(device).load(cuda::memory_order_acquire);
           RECEIVES)
IN_CLUSTER(cluster_barrier, SENDS; ARRIVES("release"), AWAITS("acquire"); RECEIVES)
IN_CLUSTER(cluster_barrier_relaxed, SENDS; ARRIVES("relaxed"), AWAITS("acquire"); RECEIVES)
IN_CLUSTER(cluster_barrier_relaxed_wait, SENDS; ARRIVES("release"), AWAITS("relaxed"); RECEIVES)

// What a barrier of the cluster orders, with a flag that threads can see each other by.
#define BETWEEN(name, how)                                                                         \
  extern "C" __global__ void __cluster_dims__(2) name(int* out, const int* in) {                   \
    if (threadIdx.x == 0 && blockIdx.x == 0) {                                                     \
      datum = in[0];                                                                               \
      STORE_GLOBAL("relaxed.gpu", flag, 1);                                                        \
    }                                                                                              \
    __syncwarp();                                                                                  \
    PASSES(how);                                                                                   \
    if (threadIdx.x == 0 && blockIdx.x == 1) {                                                     \
      int raised = 0;                                                                              \
      LOAD_GLOBAL("relaxed.gpu", raised, flag);                                                    \
      out[0] = datum + raised;                                                                     \
    }                                                                                              \
  }
BETWEEN(cluster_between, "release")
BETWEEN(cluster_between_relaxed, "relaxed")
