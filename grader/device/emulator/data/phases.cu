// Barriers in memory, in pairs: kernels that use them as they are meant, and with one mistake each.
#include <cuda/ptx>

#include <cstdint>

namespace ptx = cuda::ptx;

constexpr int kThreads = 128;

__device__ void init(std::uint64_t* barrier, unsigned count) {
  if (threadIdx.x == 0) ptx::mbarrier_init(barrier, count);
  __syncthreads();
}
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// ---- values that cross warps by one barrier, round after round

__global__ void exchange_by_token(int* out, const int* in) {
  __shared__ std::uint64_t barrier;
  __shared__ int values[kThreads];
  init(&barrier, kThreads);
  for (int round = 0; round < 4; ++round) {
    values[threadIdx.x] = in[threadIdx.x] + round;
    std::uint64_t token = ptx::mbarrier_arrive(&barrier);
    while (!ptx::mbarrier_try_wait(&barrier, token)) {
    }
    out[round * kThreads + threadIdx.x] = values[kThreads - 1 - threadIdx.x];
    token = ptx::mbarrier_arrive(&barrier);
    while (!ptx::mbarrier_test_wait(&barrier, token)) {
    }
  }
}
__global__ void exchange_without_second(int* out, const int* in) {
  __shared__ std::uint64_t barrier;
  __shared__ int values[kThreads];
  init(&barrier, kThreads);
  for (int round = 0; round < 4; ++round) {
    values[threadIdx.x] = in[threadIdx.x] + round;
    std::uint64_t token = ptx::mbarrier_arrive(&barrier);
    while (!ptx::mbarrier_try_wait(&barrier, token)) {
    }
    out[round * kThreads + threadIdx.x] = values[kThreads - 1 - threadIdx.x];
  }
}
__global__ void arrives_without_wait(int* out, const int* in) {
  __shared__ std::uint64_t barrier;
  __shared__ int values[kThreads];
  init(&barrier, kThreads);
  values[threadIdx.x] = in[threadIdx.x];
  ptx::mbarrier_arrive(&barrier);
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}
__global__ void relaxed_arrival(int* out, const int* in) {
  __shared__ std::uint64_t barrier;
  __shared__ int values[kThreads];
  init(&barrier, kThreads);
  values[threadIdx.x] = in[threadIdx.x];
  ptx::mbarrier_arrive(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &barrier);
  wait(&barrier, 0);
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}

// ---- before there is a barrier

__global__ void init_without_barrier(int* out, const int*) {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, kThreads);
  ptx::mbarrier_arrive(&barrier);
  wait(&barrier, 0);
  out[threadIdx.x] = 1;
}
__global__ void never_initialised(int* out, const int*) {
  __shared__ std::uint64_t barriers[2];
  init(&barriers[0], kThreads);
  ptx::mbarrier_arrive(&barriers[1]);
  wait(&barriers[1], 0);
  out[threadIdx.x] = 1;
}

// ---- arrivals

__global__ void forms_of_arrival(int* out, const int*) {
  __shared__ std::uint64_t barrier;
  init(&barrier, 2 * kThreads + 32);
  if (threadIdx.x < 32) {
    const std::uint64_t state = ptx::mbarrier_arrive_no_complete(&barrier, 1);
    unsigned pending;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    out[threadIdx.x] = pending; // lanes come in some order
  }
  ptx::mbarrier_arrive(&barrier, 2);
  wait(&barrier, 0);
  // The second warp leaves: 2 * 128 + 32 - 32 are left.
  if (threadIdx.x / 32 == 1) {
    asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(&barrier))
                 : "memory");
    ptx::mbarrier_arrive(&barrier);
  } else {
    ptx::mbarrier_arrive(&barrier, threadIdx.x < 32 ? 3 : 2);
    wait(&barrier, 1);
    ptx::mbarrier_arrive(&barrier, threadIdx.x < 64 ? 4 : 2);
    wait(&barrier, 0);
    out[threadIdx.x + 32] = 7;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "mbarrier.inval.shared::cta.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(&barrier))
        : "memory");
}
__global__ void arrives_beyond(int* out, const int*) {
  __shared__ std::uint64_t barrier;
  init(&barrier, 100);
  if (threadIdx.x == 0) ptx::mbarrier_arrive(&barrier, 128);
  out[threadIdx.x] = 1;
}
__global__ void one_arrival_short(int* out, const int*) {
  __shared__ std::uint64_t filled[3];
  if (threadIdx.x == 0)
    for (int i = 0; i < 3; ++i) ptx::mbarrier_init(&filled[i], kThreads);
  __syncthreads();
  if (threadIdx.x != 5) ptx::mbarrier_arrive(&filled[2]);
  wait(&filled[2], 0);
  out[threadIdx.x] = 1;
}
// Two phases of one arrival each, and nothing that keeps them apart for who waits.
__global__ void phases_alias(int* out, const int*) {
  __shared__ std::uint64_t barrier;
  init(&barrier, 1);
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) ptx::mbarrier_arrive(&barrier);
    wait(&barrier, round & 1);
  }
  out[threadIdx.x] = 1;
}

// ---- a ring: one warp fills, three use

constexpr int kStages = 3, kRounds = 10, kUsers = 96;

template <bool kWaits, bool kReleases>
__device__ void ring(int* out, const int* in) {
  __shared__ std::uint64_t full[kStages], empty[kStages];
  __shared__ int stage[kStages][32];
  if (threadIdx.x == 0)
    for (int i = 0; i < kStages; ++i) {
      ptx::mbarrier_init(&full[i], 32);
      ptx::mbarrier_init(&empty[i], kUsers);
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int round = 0; round < kRounds; ++round) {
      const int s = round % kStages, parity = round / kStages & 1;
      if (kReleases) wait(&empty[s], parity ^ 1);
      stage[s][threadIdx.x] = in[round * 32 + threadIdx.x];
      ptx::mbarrier_arrive(&full[s]);
    }
  } else {
    int sum = 0;
    for (int round = 0; round < kRounds; ++round) {
      const int s = round % kStages, parity = round / kStages & 1;
      if (kWaits) wait(&full[s], parity);
      sum += stage[s][(threadIdx.x + 1) % 32];
      if (kReleases) ptx::mbarrier_arrive(&empty[s]);
    }
    out[threadIdx.x] = sum;
  }
}
__global__ void ring_mended(int* out, const int* in) {
  ring<true, true>(out, in);
}
__global__ void ring_does_not_wait(int* out, const int* in) {
  ring<false, true>(out, in);
}
__global__ void ring_refills_too_early(int* out, const int* in) {
  ring<true, false>(out, in);
}
// Copies arrive for those who ask for them, who do not wait for any.
template <bool kWaits>
__device__ void ring_of_copies(int* out, const int* in) {
  __shared__ std::uint64_t full[kStages], empty[kStages];
  __shared__ int stage[kStages][32];
  if (threadIdx.x == 0)
    for (int i = 0; i < kStages; ++i) {
      ptx::mbarrier_init(&full[i], 32);
      ptx::mbarrier_init(&empty[i], kUsers);
    }
  __syncthreads();
  const auto at = [](const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
  if (threadIdx.x < 32) {
    for (int round = 0; round < kRounds; ++round) {
      const int s = round % kStages, parity = round / kStages & 1;
      if (kWaits) wait(&empty[s], parity ^ 1);
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&stage[s][threadIdx.x])),
                   "l"(in + round * 32 + threadIdx.x)
                   : "memory");
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&full[s]))
                   : "memory");
    }
  } else {
    int sum = 0;
    for (int round = 0; round < kRounds; ++round) {
      const int s = round % kStages, parity = round / kStages & 1;
      wait(&full[s], parity);
      sum += stage[s][(threadIdx.x + 1) % 32];
      ptx::mbarrier_arrive(&empty[s]);
    }
    out[threadIdx.x] = sum;
  }
}
__global__ void ring_of_copies_mended(int* out, const int* in) {
  ring_of_copies<true>(out, in);
}
__global__ void ring_of_copies_too_early(int* out, const int* in) {
  ring_of_copies<false>(out, in);
}
// Each user releases its stage before it reads.
__global__ void ring_releases_too_early(int* out, const int* in) {
  __shared__ std::uint64_t full, empty;
  __shared__ int stage[32];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 32);
    ptx::mbarrier_init(&empty, kUsers);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int round = 0; round < 4; ++round) {
      wait(&empty, (round & 1) ^ 1);
      stage[threadIdx.x] = in[round * 32 + threadIdx.x];
      ptx::mbarrier_arrive(&full);
    }
  } else {
    int sum = 0;
    for (int round = 0; round < 4; ++round) {
      wait(&full, round & 1);
      ptx::mbarrier_arrive(&empty);
      sum += stage[(threadIdx.x + 1) % 32];
    }
    out[threadIdx.x] = sum;
  }
}

// ---- who ends a barrier, or begins it anew, while others may still look at it

__device__ void end(std::uint64_t* barrier) {
  asm volatile(
      "mbarrier.inval.shared::cta.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(barrier))
      : "memory");
}
template <bool kOrdered, bool kLate, bool kAgain>
__device__ void ends(int* out) {
  __shared__ std::uint64_t barrier;
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  init(&barrier, kThreads);
  const std::uint64_t token = ptx::mbarrier_arrive(&barrier);
  if (threadIdx.x < 32 || kOrdered)
    while (!ptx::mbarrier_test_wait(&barrier, token)) {
    }
  if (kOrdered) __syncthreads();
  if (threadIdx.x == 0) {
    if (kAgain)
      ptx::mbarrier_init(&barrier, kThreads);
    else
      end(&barrier);
    *(volatile int*)&flag = 1;
  } else if (!kOrdered && threadIdx.x >= 32) {
    while (kLate && !*(volatile int*)&flag) {
    }
    out[threadIdx.x] = ptx::mbarrier_test_wait(&barrier, token);
  }
}
__global__ void ends_behind_all(int* out, const int*) {
  ends<true, false, false>(out);
}
__global__ void ends_too_early(int* out, const int*) {
  ends<false, false, false>(out);
}
__global__ void looks_too_late(int* out, const int*) {
  ends<false, true, false>(out);
}
__global__ void begins_again_behind_all(int* out, const int*) {
  ends<true, false, true>(out);
}
__global__ void begins_again_too_early(int* out, const int*) {
  ends<false, false, true>(out);
}
// The others have only arrived, and whoever waits for the phase is behind that.
__global__ void ends_behind_arrivals(int* out, const int*) {
  __shared__ std::uint64_t barrier;
  init(&barrier, kThreads);
  ptx::mbarrier_arrive(&barrier);
  if (threadIdx.x > 0) return;
  wait(&barrier, 0);
  end(&barrier);
}

// ---- cp.async that a barrier is told of

template <bool kIncreases, bool kWaits>
__device__ void copies(int* out, const int* in) {
  __shared__ std::uint64_t barrier;
  __shared__ int values[kThreads];
  init(&barrier, kThreads);
  const unsigned to = __cvta_generic_to_shared(&values[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x)
               : "memory");
  if (kIncreases) {
    ptx::cp_async_mbarrier_arrive(&barrier);
    ptx::mbarrier_arrive(&barrier);
  } else {
    ptx::cp_async_mbarrier_arrive_noinc(&barrier);
  }
  if (kWaits) wait(&barrier, 0);
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}
__global__ void copies_increase(int* out, const int* in) {
  copies<true, true>(out, in);
}
__global__ void copies_count(int* out, const int* in) {
  copies<false, true>(out, in);
}
__global__ void copies_not_waited(int* out, const int* in) {
  copies<false, false>(out, in);
}
