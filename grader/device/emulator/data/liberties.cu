// Kernels in pairs: `wrong` takes for granted what the first execution of the emulated device
// happens to do and nobody promises, `right` does not. liberties_test.cpp says what out[] should
// be.
#include <cuda/atomic>
#include <cuda/ptx>

#include <cstdint>

namespace ptx = cuda::ptx;

constexpr int kThreads = 64;

// ---- blocks are preempted between a strong read and a strong write: an addition is lost

__global__ void lost_update_wrong(int* out, int* state) {
  if (threadIdx.x == 0) *(volatile int*)out = *(volatile int*)out + 1;
}
__global__ void lost_update_right(int* out, int* state) {
  if (threadIdx.x == 0) atomicAdd(out, 1);
}
__global__ void lost_atomic_wrong(int* out, int* state) {
  if (threadIdx.x == 0) atomicExch(out, atomicAdd(out, 0) + 1);
}
__global__ void lost_atomic_right(int* out, int* state) {
  if (threadIdx.x > 0) return;
  int old = atomicAdd(out, 0);
  for (int seen; (seen = atomicCAS(out, old, old + 1)) != old; old = seen) {
  }
}
// Looks, and then takes: two may have looked.
__global__ void check_then_act_wrong(int* out, int* state) {
  cuda::atomic_ref<int, cuda::thread_scope_device> taken(state[0]);
  if (threadIdx.x == 0 && taken.load() == 0) {
    taken.store(1);
    atomicAdd(out, 1);
  }
}
__global__ void check_then_act_right(int* out, int* state) {
  cuda::atomic_ref<int, cuda::thread_scope_device> taken(state[0]);
  if (threadIdx.x == 0 && taken.exchange(1) == 0) atomicAdd(out, 1);
}

// ---- blocks that come one after the other by a ticket, and only look once

__device__ void chain(int* out, int* state, int looks) {
  if (threadIdx.x > 0) return;
  const int ticket = atomicAdd(state, 1);
  int before = 0;
  if (ticket > 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(state[ticket]);
    while (flag.load(cuda::memory_order_acquire) == 0 && --looks) {
    }
    before = state[32 + ticket];
  }
  state[33 + ticket] = before + 1;
  cuda::atomic_ref<int, cuda::thread_scope_device>(state[ticket + 1])
      .store(1, cuda::memory_order_release);
  if (ticket == gridDim.x - 1) out[0] = before + 1;
}
__global__ void one_look_wrong(int* out, int* state) {
  chain(out, state, 1);
}
__global__ void one_look_right(int* out, int* state) {
  chain(out, state, 0);
}
// Looks for a while, and goes on whatever it has seen.
__global__ void some_looks_wrong(int* out, int* state) {
  chain(out, state, 40);
}
__global__ void some_looks_right(int* out, int* state) {
  chain(out, state, 0);
}

// ---- lanes of a warp do not run in step

__device__ void tail(int* out, bool barrier) {
  __shared__ int sums[64];
  sums[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  volatile int* const s = sums;
  for (int apart = 32; apart > 0; apart /= 2) {
    const int sum = s[threadIdx.x] + s[threadIdx.x + apart];
    barrier ? __syncwarp() : __threadfence_block();
    if (threadIdx.x < apart) s[threadIdx.x] = sum;
    barrier ? __syncwarp() : __threadfence_block();
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = s[0];
}
__global__ void fence_for_barrier_wrong(int* out, int* state) {
  tail(out, false);
}
__global__ void fence_for_barrier_right(int* out, int* state) {
  tail(out, true);
}
__device__ void neighbour(int* out, bool barrier) {
  __shared__ int words[kThreads];
  volatile int* const w = words;
  w[threadIdx.x] = 0;
  __syncthreads();
  w[threadIdx.x] = 1;
  barrier ? __syncthreads() : __threadfence_block();
  const int there = w[threadIdx.x ^ 1];
  if (blockIdx.x == 0) atomicAdd(out, there);
}
__global__ void neighbour_wrong(int* out, int* state) {
  neighbour(out, false);
}
__global__ void neighbour_right(int* out, int* state) {
  neighbour(out, true);
}
// The path of the lower lanes is not the first one.
__device__ void paths(int* out, bool barrier) {
  __shared__ int set;
  volatile int* const s = &set;
  if (threadIdx.x == 0) *s = 0;
  __syncthreads();
  int seen = 1;
  if (threadIdx.x < 16) {
    if (threadIdx.x == 0) *s = 1;
    if (barrier) __syncwarp(0x0000ffff);
  } else if (threadIdx.x < 32 && !barrier) {
    seen = *s;
  }
  __syncthreads();
  if (barrier) seen = *s;
  if (blockIdx.x == 0) atomicAdd(out, seen);
}
__global__ void paths_wrong(int* out, int* state) {
  paths(out, false);
}
__global__ void paths_right(int* out, int* state) {
  paths(out, true);
}

// ---- lanes of one atomic, and of one store, in any order

__global__ void atomic_order_wrong(int* out, int* state) {
  if (threadIdx.x >= 32 || blockIdx.x > 0) return;
  if (atomicAdd(state, 1) == threadIdx.x) atomicAdd(out, 1);
}
__global__ void atomic_order_right(int* out, int* state) {
  if (threadIdx.x >= 32 || blockIdx.x > 0) return;
  if (atomicAdd(state, 1) < 32) atomicAdd(out, 1);
}
__global__ void last_store_wrong(int* out, int* state) {
  if (threadIdx.x >= 32 || blockIdx.x > 0) return;
  *(volatile int*)out = threadIdx.x;
}
__global__ void last_store_right(int* out, int* state) {
  if (threadIdx.x >= 32 || blockIdx.x > 0) return;
  if (threadIdx.x == 31) *(volatile int*)out = threadIdx.x;
}
__global__ void one_writes_wrong(int* out, int* state) {
  __shared__ int chosen;
  if (threadIdx.x < 32) *(volatile int*)&chosen = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == chosen && blockIdx.x == 0) out[0] = threadIdx.x;
}
__global__ void one_writes_right(int* out, int* state) {
  __shared__ int chosen;
  if (threadIdx.x == 31) *(volatile int*)&chosen = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == chosen && blockIdx.x == 0) out[0] = threadIdx.x;
}

// ---- waits for a barrier in memory that come to nothing, and copies that are late

template <typename Wait>
__device__ void arrivals(int* out, Wait wait) {
  __shared__ std::uint64_t barrier;
  __shared__ int words[kThreads];
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, kThreads);
  __syncthreads();
  words[threadIdx.x] = 1;
  const std::uint64_t token = ptx::mbarrier_arrive(&barrier);
  wait(&barrier, token);
  const int there = words[kThreads - 1 - threadIdx.x];
  __syncthreads();
  if (blockIdx.x == 0) atomicAdd(out, there);
}
__global__ void try_once_wrong(int* out, int* state) {
  arrivals(out, [](std::uint64_t* barrier, std::uint64_t token) {
    ptx::mbarrier_try_wait(barrier, token);
  });
}
__global__ void try_once_right(int* out, int* state) {
  arrivals(out, [](std::uint64_t* barrier, std::uint64_t token) {
    while (!ptx::mbarrier_try_wait(barrier, token)) {
    }
  });
}
__global__ void test_once_wrong(int* out, int* state) {
  arrivals(out, [](std::uint64_t* barrier, std::uint64_t token) {
    ptx::mbarrier_test_wait(barrier, token);
  });
}
__global__ void test_once_right(int* out, int* state) {
  arrivals(out, [](std::uint64_t* barrier, std::uint64_t token) {
    while (!ptx::mbarrier_test_wait(barrier, token)) {
    }
  });
}

template <typename Wait>
__device__ void bulk_copy(int* out, int* state, Wait wait) {
  __shared__ alignas(16) int words[kThreads];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, state, sizeof words, &barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   sizeof words);
  }
  wait(&barrier);
  if (blockIdx.x == 0) atomicAdd(out, words[threadIdx.x]);
}
__global__ void copy_try_once_wrong(int* out, int* state) {
  bulk_copy(out, state, [](std::uint64_t* barrier) { ptx::mbarrier_try_wait_parity(barrier, 0); });
}
__global__ void copy_try_once_right(int* out, int* state) {
  bulk_copy(out, state, [](std::uint64_t* barrier) {
    while (!ptx::mbarrier_try_wait_parity(barrier, 0)) {
    }
  });
}
__global__ void copy_test_once_wrong(int* out, int* state) {
  bulk_copy(out, state, [](std::uint64_t* barrier) { ptx::mbarrier_test_wait_parity(barrier, 0); });
}
__global__ void copy_test_once_right(int* out, int* state) {
  bulk_copy(out, state, [](std::uint64_t* barrier) {
    while (!ptx::mbarrier_test_wait_parity(barrier, 0)) {
    }
  });
}

// ---- where a thread is on the device

__device__ void warps(int* out, bool by_place) {
  __shared__ int sums[2];
  int warp = threadIdx.x / 32;
  if (by_place) asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  if (threadIdx.x < 2) sums[threadIdx.x] = 0;
  __syncthreads();
  if (warp < 2) atomicAdd(&sums[warp], 1);
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) out[0] = sums[0] + sums[1];
}
__global__ void warp_number_wrong(int* out, int* state) {
  warps(out, true);
}
__global__ void warp_number_right(int* out, int* state) {
  warps(out, false);
}
// Not the first blocks are there first.
__global__ void first_block_wrong(int* out, int* state) {
  if (threadIdx.x == 0 && atomicAdd(state, 1) == blockIdx.x) atomicAdd(out, 1);
}
__global__ void first_block_right(int* out, int* state) {
  if (threadIdx.x == 0 && atomicAdd(state, 1) < gridDim.x) atomicAdd(out, 1);
}
// Counts by two atomics in place of one.
__global__ void last_block_wrong(int* out, int* state) {
  if (threadIdx.x > 0) return;
  atomicAdd(state, 1);
  if (atomicAdd(state, 0) == gridDim.x) atomicAdd(out, 1);
}
__global__ void last_block_right(int* out, int* state) {
  if (threadIdx.x == 0 && atomicAdd(state, 1) == gridDim.x - 1) atomicAdd(out, 1);
}
// A lock that is looked at first and taken then.
__device__ void locked(int* out, int* state, bool at_once) {
  if (threadIdx.x > 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(state[0]);
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]);
  if (at_once) {
    while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
    }
  } else {
    while (lock.load(cuda::memory_order_acquire) != 0) {
    }
    lock.store(1, cuda::memory_order_relaxed);
  }
  sum.store(sum.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_relaxed);
  lock.store(0, cuda::memory_order_release);
}
__global__ void lock_wrong(int* out, int* state) {
  locked(out, state, false);
}
__global__ void lock_right(int* out, int* state) {
  locked(out, state, true);
}
// How often it has looked is kept in memory of its own alone, behind the first bytes.
__global__ void looks_five_times(int* out, int* state) {
  if (threadIdx.x != 1) return;
  volatile int looks[8];
  volatile int& count = looks[4 + blockDim.x % 4]; // which nvcc leaves in memory
  count = 0;
  do count = count + 1;
  while (*(volatile int*)state == 0 && count < 5);
  out[0] = count;
}
// The greatest, by a look and a store.
__global__ void greatest_wrong(int* out, int* state) {
  volatile int* const most = out;
  const int mine = 1 + (blockIdx.x + 7) % gridDim.x; // the first has the greatest
  if (threadIdx.x == 0 && *most < mine) *most = mine;
}
__global__ void greatest_right(int* out, int* state) {
  if (threadIdx.x == 0) atomicMax(out, 1 + (blockIdx.x + 7) % gridDim.x);
}
__device__ void multiprocessors(int* out, bool by_place) {
  unsigned at = blockIdx.x;
  if (by_place) asm volatile("mov.u32 %0, %%smid;" : "=r"(at));
  if (threadIdx.x == 0 && at == blockIdx.x) atomicAdd(out, 1);
}
__global__ void multiprocessor_number_wrong(int* out, int* state) {
  multiprocessors(out, true);
}
__global__ void multiprocessor_number_right(int* out, int* state) {
  multiprocessors(out, false);
}

// ---- no liberty: what a relaxed read of a flag is worth, where acquires are strict

__device__ void relaxed_flag(int* out, int* state, bool fences, bool all) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(state[0]);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    state[1] = 1;
    flag.store(1, cuda::memory_order_release);
  }
  if (blockIdx.x != 1) return;
  if (threadIdx.x == 0) {
    while (flag.load(cuda::memory_order_relaxed) == 0) {
    }
    if (fences && !all) __threadfence();
  }
  __syncthreads();
  if (fences && all) __threadfence();
  if (threadIdx.x == 5) out[0] = state[1];
}
__global__ void relaxed_flag_wrong(int* out, int* state) {
  relaxed_flag(out, state, false, false);
}
__global__ void relaxed_flag_right(int* out, int* state) {
  relaxed_flag(out, state, true, false);
}
__global__ void relaxed_flag_barrier(int* out, int* state) {
  relaxed_flag(out, state, true, true);
}
