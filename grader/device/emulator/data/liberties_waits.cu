// Kernels in pairs, as in liberties.cu: waits for barriers in memory that come to nothing, and
// copies that are late.
#include "liberties_pair.cuh"

#include <cuda/ptx>

#include <cstdint>

namespace ptx = cuda::ptx;
constexpr int kThreads = 64;

// All arrive, and take what the last thread has left.
template <typename Wait>
__device__ void handed_over(int* out, Wait wait) {
  __shared__ std::uint64_t barrier;
  __shared__ int words[kThreads];
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, kThreads);
  __syncthreads();
  words[threadIdx.x] = 1;
  const std::uint64_t token = ptx::mbarrier_arrive(&barrier);
  wait(&barrier, token);
  const int there = words[kThreads - 1 - threadIdx.x];
  __syncthreads();
  atomicAdd(out, there);
}

template <bool kRight>
__device__ void try_parity(int* out, int*) {
  handed_over(out, [](std::uint64_t* barrier, std::uint64_t) {
    while (!ptx::mbarrier_try_wait_parity(barrier, 0) && kRight) {
    }
  });
}
PAIR(try_parity_once, try_parity)

// However long it may take.
template <bool kRight>
__device__ void try_for_long(int* out, int*) {
  handed_over(out, [](std::uint64_t* barrier, std::uint64_t token) {
    while (!ptx::mbarrier_try_wait(barrier, token, 1'000'000u) && kRight) {
    }
  });
}
PAIR(try_for_long, try_for_long)

template <bool kRight>
__device__ void test_parity(int* out, int*) {
  handed_over(out, [](std::uint64_t* barrier, std::uint64_t) {
    while (!ptx::mbarrier_test_wait_parity(barrier, 0) && kRight) {
    }
  });
}
PAIR(test_parity_once, test_parity)

// One thread waits for all.
template <bool kRight>
__device__ void one_waits(int* out, int*) {
  handed_over(out, [](std::uint64_t* barrier, std::uint64_t token) {
    if (threadIdx.x == 0)
      while (!ptx::mbarrier_try_wait(barrier, token) && kRight) {
      }
    if (kRight)
      __syncthreads();
    else
      __syncwarp();
  });
}
PAIR(one_waits, one_waits)

// A copy in the second phase.
template <bool kRight>
__device__ void second_phase(int* out, int* state) {
  __shared__ alignas(16) int words[kThreads];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  for (int phase = 0; phase < 2; ++phase) {
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, state, sizeof words,
                         &barrier);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                     sizeof words);
    }
    while (!ptx::mbarrier_try_wait_parity(&barrier, phase) && (kRight || phase == 0)) {
    }
    if (phase == 0) __syncthreads();
  }
  atomicAdd(out, words[threadIdx.x]);
}
PAIR(copy_second_phase, second_phase)

// One copy, of which what comes right behind the first look is not there.
template <bool kRight>
__device__ void looked_once(int* out, int* state) {
  __shared__ alignas(16) int words[kThreads];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, state, sizeof words, &barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   sizeof words);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0) && kRight) {
  }
  const int there = words[threadIdx.x];
  __syncthreads();
  if (blockIdx.x == 0) atomicAdd(out, there);
}
PAIR(copy_looked_once, looked_once)

// Two copies, of which the first alone is waited for as it ought to be.
template <bool kRight>
__device__ void two_copies(int* out, int* state) {
  __shared__ alignas(16) int words[2][kThreads];
  __shared__ std::uint64_t barriers[2];
  if (threadIdx.x < 2) {
    ptx::mbarrier_init(&barriers[threadIdx.x], 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x < 2) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words[threadIdx.x], state,
                       sizeof words[0], &barriers[threadIdx.x]);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &barriers[threadIdx.x], sizeof words[0]);
  }
  while (!ptx::mbarrier_try_wait_parity(&barriers[0], 0)) {
  }
  while (!ptx::mbarrier_test_wait_parity(&barriers[1], 0) && kRight) {
  }
  if (blockIdx.x == 0) atomicAdd(out, words[0][threadIdx.x] * words[1][threadIdx.x]);
}
PAIR(copy_two, two_copies)

// Without a barrier of the threads: the lanes of a copy of their own.
template <bool kRight>
__device__ void own_copies(int* out, int* state) {
  __shared__ alignas(16) int words[kThreads];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, kThreads);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x]))),
               "l"(state + threadIdx.x)
               : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(&barrier)))
               : "memory");
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0) && kRight) {
  }
  if (blockIdx.x == 0) atomicAdd(out, words[kThreads - 1 - threadIdx.x]);
}
PAIR(copy_own, own_copies)

// ---- pieces of a copy

// The last word is taken for all of them, by the other warp.
template <bool kRight>
__device__ void last_word(int* out, int* state) {
  __shared__ alignas(16) int words[kThreads];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 1);
  words[threadIdx.x] = 0;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  volatile int* const w = words;
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, state, sizeof words, &barrier);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   sizeof words);
  }
  if (kRight || threadIdx.x < 32) {
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
  }
  if (threadIdx.x != 32) return;
  while (w[kThreads - 1] == 0) {
  }
  int sum = 0;
  for (int i = 0; i < kThreads; ++i) sum += w[i];
  if (blockIdx.x == 0) atomicAdd(out, sum);
}
PAIR(copy_last_word, last_word)

__device__ void copy_16(int* to, const int* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(bytes)
               : "memory");
}
__device__ void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

// The same of the four words that a lane copies at once: it waits only where the last is not there.
template <bool kRight>
__device__ void own_last_word(int* out, int* state) {
  __shared__ alignas(16) int words[4 * kThreads];
  int* const mine = words + 4 * threadIdx.x;
  volatile int* const w = mine;
  for (int i = 0; i < 4; ++i) mine[i] = 0;
  copy_16(mine, state + threadIdx.x / 2 * 4, 16);
  if (kRight || w[3] == 0) wait_for_copies();
  const int sum = w[0] + w[1] + w[2] + w[3];
  if (blockIdx.x == 0) atomicAdd(out, sum);
}
PAIR(copy_own_word, own_last_word)

// Zeros, and over them what is wanted: the later copy may come first, or between.
template <bool kRight>
__device__ void copied_over(int* out, int* state) {
  __shared__ alignas(16) int words[4 * kThreads];
  int* const mine = words + 4 * threadIdx.x;
  volatile int* const w = mine;
  copy_16(mine, state, 0);
  if (kRight) wait_for_copies();
  copy_16(mine, state + threadIdx.x / 2 * 4, 16);
  wait_for_copies();
  const int sum = w[0] + w[1] + w[2] + w[3];
  if (blockIdx.x == 0) atomicAdd(out, sum);
}
PAIR(copy_over_copy, copied_over)

// A ring of two stages, and a barrier of the block in every second round: lanes that wait for a
// phase may be a round apart.
__global__ void ring_with_barriers(int* out, int*) {
  __shared__ std::uint64_t full[2], empty[2];
  __shared__ int stages[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) {
    ptx::mbarrier_init(&full[threadIdx.x], 32);
    ptx::mbarrier_init(&empty[threadIdx.x], 32);
  }
  __syncthreads();
  const auto wait = [](std::uint64_t* barrier, int parity) {
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
  };
  int sum = 0;
  for (int round = 0; round < 16; ++round) {
    const int stage = round % 2, parity = round / 2 % 2;
    if (stage == 1) __syncthreads();
    if (threadIdx.x < 32) {
      wait(&empty[stage], parity ^ 1);
      stages[stage][lane] = round;
      ptx::mbarrier_arrive(&full[stage]);
    } else {
      wait(&full[stage], parity);
      sum += stages[stage][31 - lane];
      ptx::mbarrier_arrive(&empty[stage]);
    }
  }
  if (threadIdx.x >= 32) atomicAdd(out, sum);
}
