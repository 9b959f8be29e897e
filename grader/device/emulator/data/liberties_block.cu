// Kernels in pairs, as in liberties.cu: stores that come late to other threads of the block, or of
// the cluster. The first thread tells those of the other warp, or of the other block.
#include "liberties_pair.cuh"

#include <cooperative_groups.h>
#include <cuda/atomic>

#include <cstdint>

namespace cg = cooperative_groups;

// A datum and a flag in shared memory, cleared.
struct Told {
  int data, flag;
};
#define SHARED_TOLD(name)                                                                          \
  __shared__ Told name;                                                                            \
  if (threadIdx.x == 0) name = {};                                                                 \
  __syncthreads()

__device__ bool tells() {
  return threadIdx.x == 0;
}
__device__ bool is_told() {
  return threadIdx.x == 32;
}

// ---- told by atomics

template <bool kRight>
__device__ void by_exchange(int* out, int*) {
  SHARED_TOLD(told);
  volatile int* data = &told.data;
  if (tells()) {
    *data = 1;
    if (kRight) __threadfence_block();
    atomicExch(&told.flag, 1);
  } else if (is_told()) {
    while (atomicAdd(&told.flag, 0) == 0) {
    }
    if (kRight) __threadfence_block();
    atomicAdd(out, *data);
  }
}
PAIR(block_exchange, by_exchange)

template <bool kRight>
__device__ void by_exchange_plain(int* out, int*) {
  SHARED_TOLD(told);
  if (tells()) {
    told.data = 1;
    if (kRight) __threadfence_block();
    atomicExch(&told.flag, 1);
  } else if (is_told()) {
    while (atomicAdd(&told.flag, 0) == 0) {
    }
    if (kRight) __threadfence_block();
    atomicAdd(out, told.data);
  }
}
PAIR(block_exchange_plain, by_exchange_plain)

// Both by atomics, and the datum is read by a load.
template <bool kRight>
__device__ void all_by_atomics(int* out, int*) {
  SHARED_TOLD(told);
  if (tells()) {
    atomicAdd(&told.data, 1);
    if (kRight) __threadfence_block();
    atomicOr(&told.flag, 1);
  } else if (is_told()) {
    while (atomicOr(&told.flag, 0) == 0) {
    }
    if (kRight) __threadfence_block();
    atomicAdd(out, *(volatile int*)&told.data);
  }
}
PAIR(block_atomics, all_by_atomics)

template <bool kRight>
__device__ void relaxed_in_block(int* out, int*) {
  SHARED_TOLD(told);
  using InBlock = cuda::atomic_ref<int, cuda::thread_scope_block>;
  InBlock data(told.data), flag(told.flag);
  if (tells()) {
    data.store(1, cuda::memory_order_relaxed);
    if (kRight)
      flag.fetch_add(1, cuda::memory_order_release);
    else
      flag.fetch_add(1, cuda::memory_order_relaxed);
  } else if (is_told()) {
    while (flag.fetch_or(0, kRight ? cuda::memory_order_acquire : cuda::memory_order_relaxed) ==
           0) {
    }
    atomicAdd(out, data.load(cuda::memory_order_relaxed));
  }
}
PAIR(block_relaxed, relaxed_in_block)

// The reader's fence alone is half of it.
template <bool kRight>
__device__ void half_fenced_in_block(int* out, int*) {
  SHARED_TOLD(told);
  volatile int* data = &told.data;
  if (tells()) {
    *data = 1;
    if (kRight) __threadfence_block();
    atomicExch(&told.flag, 1);
  } else if (is_told()) {
    while (atomicAdd(&told.flag, 0) == 0) {
    }
    __threadfence_block();
    atomicAdd(out, *data);
  }
}
PAIR(block_half_fenced, half_fenced_in_block)

// All of a warp write, one of them tells: the others need a barrier before that.
template <bool kRight>
__device__ void told_for_warp(int* out, int*) {
  __shared__ int data[32], flag;
  if (threadIdx.x < 32) data[threadIdx.x] = 0;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  volatile int* words = data;
  if (threadIdx.x < 32) {
    atomicExch(data + (threadIdx.x + 1) % 32, 1);
    if (kRight) __syncwarp();
    if (threadIdx.x == 0) {
      __threadfence_block();
      atomicExch(&flag, 1);
    }
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    const int there = words[threadIdx.x - 32];
    if (blockIdx.x == 0) atomicAdd(out, there);
  }
}
PAIR(block_for_warp, told_for_warp)

// The same words, in global memory.
template <bool kRight>
__device__ void in_global_memory(int* out, int* state) {
  int *data = state + 2 * blockIdx.x, *flag = data + 1;
  if (tells()) {
    atomicExch(data, 1);
    if (kRight) __threadfence_block();
    atomicExch(flag, 1);
  } else if (is_told()) {
    while (atomicAdd(flag, 0) == 0) {
    }
    if (kRight) __threadfence_block();
    atomicAdd(out, *(volatile int*)data);
  }
}
PAIR(block_global, in_global_memory)

// Plain data there.
template <bool kRight>
__device__ void in_global_memory_plain(int* out, int* state) {
  int *data = state + 2 * blockIdx.x, *flag = data + 1;
  if (tells()) {
    *data = 1;
    if (kRight) __threadfence_block();
    atomicExch(flag, 1);
  } else if (is_told()) {
    while (atomicAdd(flag, 0) == 0) {
    }
    if (kRight) __threadfence_block();
    atomicAdd(out, *data);
  }
}
PAIR(block_global_plain, in_global_memory_plain)

// ---- each writes its own word and reads the other's: one of the two sees the other

template <bool kRight>
__device__ void alone_in_block(int* out, int*) {
  __shared__ int inside[2], alone;
  if (threadIdx.x < 2) inside[threadIdx.x] = 0;
  if (threadIdx.x == 0) alone = 0;
  __syncthreads();
  const int mine = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    atomicExch(inside + mine, 1);
    if (kRight) __threadfence_block();
    if (*(volatile int*)(inside + 1 - mine) == 0) atomicAdd(&alone, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, alone < 2);
}
PAIR(block_entry, alone_in_block)

// ---- behind what orders, nothing comes late

// A barrier, of the block, of a warp, and of some warps.
template <bool kRight>
__device__ void behind_barriers(int* out, int*) {
  __shared__ int words[64];
  volatile int* w = words;
  words[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(words + (threadIdx.x ^ 1), 1);
  if (kRight) __syncwarp();
  const int first = w[threadIdx.x];
  __syncthreads();
  atomicAdd(words + (threadIdx.x ^ 32), 1);
  asm volatile("barrier.sync 1, 64;" ::: "memory");
  const int second = w[threadIdx.x];
  if (blockIdx.x == 0) atomicAdd(out, first + second);
}
PAIR(block_barriers, behind_barriers)

// A barrier in memory.
template <bool kRight>
__device__ void behind_phase(int* out, int*) {
  __shared__ std::uint64_t phase;
  __shared__ int words[64];
  volatile int* w = words;
  words[threadIdx.x] = 0;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&phase));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory");
  __syncthreads();
  atomicAdd(words + (threadIdx.x ^ 32), 1);
  if (kRight) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
    int ended = 0;
    while (!ended)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0;"
                   " selp.s32 %0, 1, 0, p; }"
                   : "=r"(ended)
                   : "r"(at)
                   : "memory");
  }
  const int there = w[threadIdx.x];
  if (blockIdx.x == 0) atomicAdd(out, there);
}
PAIR(block_phase, behind_phase)

// ---- blocks of a cluster

#define CLUSTER_PAIR(name, function)                                                               \
  __global__ void __cluster_dims__(2) name##_wrong(int* out, int* state) {                         \
    function<false>(out, state);                                                                   \
  }                                                                                                \
  __global__ void __cluster_dims__(2) name##_right(int* out, int* state) {                         \
    function<true>(out, state);                                                                    \
  }

// The first block tells the second in the memory of the second, or in its own.
template <bool kRight, bool kOwn>
__device__ void told_in_cluster(int* out) {
  __shared__ Told told;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) told = {};
  cluster.sync();
  Told* const common = cluster.map_shared_rank(&told, kOwn ? 0 : 1);
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    atomicExch(&common->data, 1);
    if (kRight) __threadfence();
    atomicExch(&common->flag, 1);
  } else if (threadIdx.x == 0) {
    while (atomicAdd(&common->flag, 0) == 0) {
    }
    if (kRight) __threadfence();
    atomicAdd(out, *(volatile int*)&common->data);
  }
  cluster.sync();
}
template <bool kRight>
__device__ void told_there(int* out, int*) {
  told_in_cluster<kRight, false>(out);
}
CLUSTER_PAIR(cluster_there, told_there)
template <bool kRight>
__device__ void told_here(int* out, int*) {
  told_in_cluster<kRight, true>(out);
}
CLUSTER_PAIR(cluster_here, told_here)

// Behind a barrier of the cluster, and behind fences for it.
template <bool kRight>
__device__ void behind_cluster(int* out, int*) {
  __shared__ Told told;
  const auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) told = {};
  cluster.sync();
  const unsigned rank = cluster.block_rank();
  Told* const other = cluster.map_shared_rank(&told, 1 - rank);
  if (threadIdx.x == 0) {
    atomicAdd(&other->data, 1);
    if (kRight) asm volatile("fence.sc.cluster;" ::: "memory");
    atomicAdd(&other->flag, 1);
    while (atomicAdd(&told.flag, 0) == 0) {
    }
    if (kRight) asm volatile("fence.sc.cluster;" ::: "memory");
    atomicAdd(out, *(volatile int*)&told.data);
  }
  cluster.sync();
  if (threadIdx.x == 0) atomicAdd(out, *(volatile int*)&other->data);
  cluster.sync();
}
CLUSTER_PAIR(cluster_fences, behind_cluster)
