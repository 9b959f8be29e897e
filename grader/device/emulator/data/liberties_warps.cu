// Kernels in pairs, as in liberties.cu: warps and lanes of a block, which come in any order.
#include "liberties_pair.cuh"

#include <cuda/atomic>

using InBlock = cuda::atomic_ref<int, cuda::thread_scope_block>;

// ---- warps

// The other warp's word, behind a fence.
template <bool kRight>
__device__ void other_warp(int* out, int*) {
  __shared__ int words[64];
  volatile int* const w = words;
  w[threadIdx.x] = 0;
  __syncthreads();
  w[threadIdx.x] = 1;
  kRight ? __syncthreads() : __threadfence_block();
  const int there = w[threadIdx.x ^ 32];
  if (blockIdx.x == 0) atomicAdd(out, there);
}
PAIR(other_warp, other_warp)

// The second warp counts second.
template <bool kRight>
__device__ void warp_order(int* out, int*) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32) return;
  const int before = atomicAdd(&count, 1);
  if (kRight || before == threadIdx.x / 32) atomicAdd(out, 1);
}
PAIR(warp_order, warp_order)

// The last warp by its number adds up.
template <bool kRight>
__device__ void last_warp(int* out, int*) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32) return;
  const int before = atomicAdd(&count, 1);
  if (kRight ? before == 1 : threadIdx.x == 32) atomicAdd(out, before);
}
PAIR(last_warp, last_warp)

// Two warps, one sum.
template <bool kRight>
__device__ void warp_sum(int* out, int*) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  InBlock all(sum);
  if (threadIdx.x % 32 == 0) {
    if (kRight)
      all.fetch_add(1, cuda::memory_order_relaxed);
    else
      all.store(all.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_relaxed);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
PAIR(warp_sum, warp_sum)

// A flag within the block that is looked at once.
template <bool kRight>
__device__ void warp_flag(int* out, int*) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  InBlock raised(flag);
  if (threadIdx.x == 0) raised.store(1, cuda::memory_order_release);
  if (threadIdx.x != 32) return;
  int seen;
  while ((seen = raised.load(cuda::memory_order_acquire)) == 0 && kRight) {
  }
  atomicAdd(out, seen);
}
PAIR(warp_flag, warp_flag)

// Which warp is the one that does it.
template <bool kRight>
__device__ void elected(int* out, int*) {
  __shared__ int taken;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  if (threadIdx.x % 32) return;
  InBlock one(taken);
  const bool mine = kRight ? one.exchange(1, cuda::memory_order_relaxed) == 0
                           : one.load(cuda::memory_order_relaxed) == 0;
  if (!mine) return;
  one.store(1, cuda::memory_order_relaxed);
  atomicAdd(out, 1);
}
PAIR(elected, elected)

// ---- lanes

// All of a warp one after the other, by a volatile sum.
template <bool kRight>
__device__ void lane_scan(int* out, int*) {
  __shared__ int sums[64];
  volatile int* const s = sums;
  s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (int apart = 1; apart < 32; apart *= 2) {
    const int before = threadIdx.x >= apart ? s[threadIdx.x - apart] : 0;
    kRight ? __syncwarp() : __threadfence_block();
    s[threadIdx.x] = s[threadIdx.x] + before;
    kRight ? __syncwarp() : __threadfence_block();
  }
  if (threadIdx.x == 31 && blockIdx.x == 0) out[0] = s[31];
}
PAIR(lane_scan, lane_scan)

// The next lane's word, behind a fence.
template <bool kRight>
__device__ void next_lane(int* out, int*) {
  __shared__ int words[64];
  volatile int* const w = words;
  w[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  w[threadIdx.x] = 1;
  kRight ? __syncwarp() : __threadfence_block();
  const int there = w[(threadIdx.x + 1) % 32];
  if (blockIdx.x == 0) atomicAdd(out, there);
}
PAIR(next_lane, next_lane)

// ---- lanes of one atomic

#define OF_ONE_WARP                                                                                \
  if (threadIdx.x >= 32 || blockIdx.x > 0) return

template <bool kRight>
__device__ void exchange_order(int* out, int* state) {
  OF_ONE_WARP;
  const int before = atomicExch(state, threadIdx.x + 1);
  if (kRight || before == threadIdx.x) atomicAdd(out, 1);
}
PAIR(exchange_order, exchange_order)

template <bool kRight>
__device__ void down_order(int* out, int* state) {
  OF_ONE_WARP;
  const int before = atomicSub(state, 1);
  if (kRight || before == -static_cast<int>(threadIdx.x)) atomicAdd(out, 1);
}
PAIR(down_order, down_order)

template <bool kRight>
__device__ void shared_order(int* out, int*) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  OF_ONE_WARP;
  const int before = atomicAdd(&count, 1);
  if (kRight || before == threadIdx.x) atomicAdd(out, 1);
}
PAIR(shared_order, shared_order)

template <bool kRight>
__device__ void first_lane_wins(int* out, int* state) {
  OF_ONE_WARP;
  const bool won = atomicCAS(state, 0, 1) == 0;
  if (kRight ? won : won && threadIdx.x == 0) atomicAdd(out, 1);
}
PAIR(first_lane_wins, first_lane_wins)

template <bool kRight>
__device__ void first_bit(int* out, int* state) {
  OF_ONE_WARP;
  const int before = atomicOr(state, 1 << threadIdx.x);
  if (kRight || before == (1 << threadIdx.x) - 1) atomicAdd(out, 1);
}
PAIR(first_bit, first_bit)

template <bool kRight>
__device__ void rising(int* out, int* state) {
  OF_ONE_WARP;
  const int before = atomicMax(state, threadIdx.x + 1);
  if (kRight || before == threadIdx.x) atomicAdd(out, 1);
}
PAIR(rising, rising)

// ---- lanes of one store

template <bool kRight>
__device__ void last_lane(int* out, int*) {
  OF_ONE_WARP;
  cuda::atomic_ref<int, cuda::thread_scope_device> word(out[0]);
  if (!kRight || threadIdx.x == 31) word.store(threadIdx.x, cuda::memory_order_relaxed);
}
PAIR(last_lane, last_lane)

template <bool kRight>
__device__ void last_of_half(int* out, int*) {
  OF_ONE_WARP;
  if (threadIdx.x < 16 && (!kRight || threadIdx.x == 15)) *(volatile int*)out = threadIdx.x + 1;
}
PAIR(last_of_half, last_of_half)

template <bool kRight>
__device__ void last_long(int* out, int*) {
  OF_ONE_WARP;
  if (!kRight || threadIdx.x == 31) *(volatile long long*)out = threadIdx.x;
}
PAIR(last_long, last_long)

// ---- where a warp and its block are

template <bool kRight>
__device__ void leader(int* out, int*) {
  int warp = threadIdx.x / 32;
  if (!kRight) asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  if (warp == 0 && threadIdx.x % 32 == 0) atomicAdd(out, 1);
}
PAIR(leader, leader)

template <bool kRight>
__device__ void slots(int* out, int* state) {
  unsigned at = blockIdx.x;
  if (!kRight) asm volatile("mov.u32 %0, %%smid;" : "=r"(at));
  if (threadIdx.x == 0 && at < gridDim.x) atomicAdd(out, 1);
}
PAIR(slots, slots)

// ---- lanes that take no part

// What a lane has from one that takes no part is no value of anybody's.
template <bool kRight>
__device__ void absent_lane(int* out, int*) {
  OF_ONE_WARP;
  const int mine = threadIdx.x;
  if (mine >= 16) return;
  const int other = __shfl_down_sync(0xffff, mine, 8, kRight ? 16 : 32);
  if (mine >= 8) atomicAdd(out, other - mine + 1);
}
PAIR(absent_lane, absent_lane)
