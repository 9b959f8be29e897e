// Kernels in pairs, as in liberties.cu: blocks of a cluster, which do not begin together; and
// launches of two streams.
#include <cooperative_groups.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;
using Device = cuda::atomic_ref<int, cuda::thread_scope_device>;

#define CLUSTER_PAIR(name, function)                                                               \
  __global__ void __cluster_dims__(2) name##_wrong(int* out, int* state) {                         \
    function<false>(out, state);                                                                   \
  }                                                                                                \
  __global__ void __cluster_dims__(2) name##_right(int* out, int* state) {                         \
    function<true>(out, state);                                                                    \
  }

// The first rank counts first.
template <bool kRight>
__device__ void rank_order(int* out, int* state) {
  const unsigned rank = cg::this_cluster().block_rank();
  if (threadIdx.x) return;
  const int before = atomicAdd(state + blockIdx.x / 2, 1);
  if (kRight || before == rank) atomicAdd(out, 1);
}
CLUSTER_PAIR(rank_order, rank_order)

// What the other block has said by the time that one looks.
template <bool kRight>
__device__ void other_rank(int* out, int* state) {
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0 && cluster.block_rank() == 0)
    Device(state[blockIdx.x]).store(1, cuda::memory_order_release);
  if (kRight) cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 1)
    atomicAdd(out, Device(state[blockIdx.x - 1]).load(cuda::memory_order_acquire));
}
CLUSTER_PAIR(other_rank, other_rank)

// Lanes leave a loop of atomics one after the other, and reach an aligned barrier together.
__global__ void __cluster_dims__(2) aligned_after_loop(int* out, int* state) {
  for (unsigned i = 0; i <= threadIdx.x % 5; ++i) atomicAdd(state + i, 1);
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  atomicAdd(out, 1);
}

// Two launches: the second takes what the first has left, in a stream of its own.
__global__ void leaves(int* out, int* state) {
  if (threadIdx.x == 0 && blockIdx.x == 0) Device(*state).store(1, cuda::memory_order_relaxed);
}
__global__ void takes(int* out, int* state) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    atomicAdd(out, Device(*state).load(cuda::memory_order_relaxed));
}
