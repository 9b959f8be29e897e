// Kernels in pairs, as in liberties.cu: strong stores that come late to other blocks. No access
// races with another, and without a fence on either side, or a release and an acquire, nobody
// promises what is read.
#include "liberties_pair.cuh"

#include <cuda/atomic>

#include <cstdint>

using Device = cuda::atomic_ref<int, cuda::thread_scope_device>;
constexpr auto kRelaxed = cuda::memory_order_relaxed;

// ---- data and a flag

// The first block tells all others.
template <bool kRight>
__device__ void told_by_volatile(int* out, int* state) {
  volatile int *data = state, *flag = state + 1;
  if (blockIdx.x == 0) {
    *data = 1;
    if (kRight) __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    if (kRight) __threadfence();
    atomicAdd(out, *data);
  }
}
PAIR_OF_BLOCKS(late_data, told_by_volatile)

template <bool kRight>
__device__ void told_relaxed(int* out, int* state) {
  Device data(state[0]), flag(state[1]);
  if (blockIdx.x == 0) {
    data.store(1, kRelaxed);
    flag.store(1, kRight ? cuda::memory_order_release : kRelaxed);
  } else {
    while (flag.load(kRight ? cuda::memory_order_acquire : kRelaxed) == 0) {
    }
    atomicAdd(out, data.load(kRelaxed));
  }
}
PAIR_OF_BLOCKS(late_relaxed, told_relaxed)

// The reader's fence alone is half of it.
template <bool kRight>
__device__ void fenced_by_reader(int* out, int* state) {
  volatile int *data = state, *flag = state + 1;
  if (blockIdx.x == 0) {
    *data = 1;
    if (kRight) __threadfence();
    atomicExch(state + 1, 1);
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    atomicAdd(out, *data);
  }
}
PAIR_OF_BLOCKS(late_half_fenced, fenced_by_reader)

template <bool kRight>
__device__ void fenced_for_the_block(int* out, int* state) {
  volatile int *data = state, *flag = state + 1;
  if (blockIdx.x == 0) {
    *data = 1;
    kRight ? __threadfence() : __threadfence_block();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    atomicAdd(out, *data);
  }
}
PAIR_OF_BLOCKS(late_block_fence, fenced_for_the_block)

// A block hands on what it was told: each takes the number of the one before.
template <bool kRight>
__device__ void handed_on(int* out, int* state) {
  volatile int *data = state, *flags = state + 16;
  int before = 0;
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) {
    }
    if (kRight) __threadfence();
    before = data[blockIdx.x - 1];
  }
  data[blockIdx.x] = before + 1;
  if (kRight) __threadfence();
  flags[blockIdx.x] = 1;
  if (blockIdx.x == gridDim.x - 1) out[0] = before + 1;
}
PAIR_OF_BLOCKS(late_chain, handed_on)

// A value and what is known of it, in two words or in one.
template <bool kRight>
__device__ void looked_back(int* out, int* state) {
  if (kRight) {
    auto* both = reinterpret_cast<volatile std::uint64_t*>(state);
    std::uint64_t before = 0;
    if (blockIdx.x > 0)
      while (((before = both[blockIdx.x - 1]) & 1) == 0) {
      }
    const int sum = static_cast<int>(before >> 32) + 1;
    both[blockIdx.x] = static_cast<std::uint64_t>(sum) << 32 | 1;
    if (blockIdx.x == gridDim.x - 1) out[0] = sum;
    return;
  }
  handed_on<false>(out, state);
}
PAIR_OF_BLOCKS(late_look_back, looked_back)

// ---- the last block

template <bool kRight, int kFence>
__device__ void add_all(int* out, int* state) {
  volatile int* sums = state + 1;
  sums[blockIdx.x] = 1;
  if (kRight || kFence == 1) __threadfence();
  const int before = atomicAdd(state, 1);
  if (kFence == 2) __threadfence();
  if (before != gridDim.x - 1) return;
  if (kRight) __threadfence();
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += sums[b];
  out[0] = sum;
}
template <bool kRight>
__device__ void last_adds(int* out, int* state) {
  add_all<kRight, 0>(out, state);
}
PAIR_OF_BLOCKS(late_sums, last_adds)

// Each adds to a sum, and then counts.
template <bool kRight>
__device__ void last_reads(int* out, int* state) {
  volatile int* totals = state + 1; // of even blocks, of odd ones
  atomicAdd(state + 1 + blockIdx.x % 2, 1);
  if (kRight) __threadfence();
  if (atomicAdd(state, 1) != gridDim.x - 1) return;
  if (kRight) __threadfence();
  out[0] = totals[0] + totals[1];
}
PAIR_OF_BLOCKS(late_total, last_reads)

// Pairs of blocks have a sum, and one count for all.
template <bool kRight>
__device__ void last_reads_pairs(int* out, int* state) {
  Device count(state[0]);
  Device(state[1 + blockIdx.x / 2]).fetch_add(1, kRelaxed);
  const auto order = kRight ? cuda::memory_order_acq_rel : kRelaxed;
  if (count.fetch_add(1, order) != gridDim.x - 1) return;
  int sum = 0;
  for (int pair = 0; pair < gridDim.x / 2; ++pair) sum += Device(state[1 + pair]).load(kRelaxed);
  out[0] = sum;
}
PAIR_OF_BLOCKS(late_pairs, last_reads_pairs)

// ---- each writes its own word and reads the other's: one of the two sees the other

template <bool kRight>
__device__ void alone(int* out, int* state) {
  const int pair = blockIdx.x / 2, mine = blockIdx.x % 2;
  volatile int* inside = state + 2 * pair;
  inside[mine] = 1;
  if (kRight) __threadfence();
  if (inside[1 - mine] == 0) atomicAdd(state + 64 + pair, 1);
  if (kRight) __threadfence();
  if (atomicAdd(state + 32, 1) != gridDim.x - 1) return;
  int least = 1;
  for (int p = 0; p < gridDim.x / 2; ++p) least = min(least, 2 - atomicAdd(state + 64 + p, 0));
  out[0] = least > 0; // nowhere were both inside
}
PAIR_OF_BLOCKS(late_entry, alone)

template <bool kRight>
__device__ void alone_by_atomics(int* out, int* state) {
  const int pair = blockIdx.x / 2, mine = blockIdx.x % 2;
  Device my_place(state[2 * pair + mine]), other(state[2 * pair + 1 - mine]);
  const auto order = kRight ? cuda::memory_order_seq_cst : cuda::memory_order_release;
  my_place.store(1, order);
  const int seen = other.load(kRight ? cuda::memory_order_seq_cst : cuda::memory_order_acquire);
  if (seen == 0) atomicAdd(state + 64 + pair, 1);
  __threadfence();
  if (atomicAdd(state + 32, 1) != gridDim.x - 1) return;
  int least = 1;
  for (int p = 0; p < gridDim.x / 2; ++p) least = min(least, 2 - atomicAdd(state + 64 + p, 0));
  out[0] = least > 0;
}
PAIR_OF_BLOCKS(late_announcement, alone_by_atomics)

// ---- what is right for any value that was there once

// A look before the atomic that decides.
template <bool kRight>
__device__ void pruned(int* out, int*) {
  const int mine = 1 + static_cast<int>((blockIdx.x + 3) % gridDim.x);
  if (kRight) {
    if (*(volatile int*)out < mine) atomicMax(out, mine);
  } else if (*(volatile int*)out < mine) {
    atomicExch(out, mine);
  }
}
PAIR_OF_BLOCKS(late_best, pruned)

// A count that is looked at for news.
template <bool kRight>
__device__ void progress(int* out, int* state) {
  const int before = atomicAdd(state, 1);
  const int seen = *(volatile int*)state;
  if (kRight ? seen >= before + 1 : seen == before + 1) atomicAdd(out, 1);
}
PAIR_OF_BLOCKS(late_count, progress)

// ---- fences that are not in one order

// Two blocks raise their flags and look at the other's: one of them sees it. What comes of that is
// counted by whoever is the second of the two.
template <bool kRight>
__device__ void both_look(int* out, int* state) {
  const unsigned pair = blockIdx.x / 2;
  Device(state[blockIdx.x]).store(1, cuda::memory_order_release);
  cuda::atomic_thread_fence(kRight ? cuda::memory_order_seq_cst : cuda::memory_order_acq_rel,
                            cuda::thread_scope_device);
  const int other = Device(state[blockIdx.x ^ 1]).load(cuda::memory_order_acquire);
  if (other == 0) atomicAdd(state + 32 + pair, 1);
  __threadfence();
  if (atomicAdd(state + 64 + pair, 1) == 1 && atomicAdd(state + 32 + pair, 0) < 2)
    atomicAdd(out, 1);
}
PAIR_OF_BLOCKS(late_both, both_look)

// Two blocks write words, and two others wait for those of one and look at those of the other: not
// both may find that the one they waited for was first (IRIW).
constexpr int kLooks = 8;
template <typename Store, typename Wait, typename Look>
__device__ void two_readers(int* out, int* state, Store store, Wait wait, Look look) {
  const unsigned group = blockIdx.x / 4, role = blockIdx.x % 4;
  for (int k = 0; k < kLooks; ++k) {
    int* const pair = state + 2 * (kLooks * group + k);
    int *mine = pair + role % 2, *other = pair + 1 - role % 2;
    if (role < 2) {
      store(mine);
    } else {
      wait(mine);
      if (look(other) == 0) atomicAdd(state + 32 + kLooks * group + k, 1);
    }
  }
  __threadfence();
  if (atomicAdd(state + 64, 1) != gridDim.x - 1) return;
  int most = 0;
  for (int k = 0; k < kLooks * gridDim.x / 4; ++k) most = max(most, atomicAdd(state + 32 + k, 0));
  out[0] = most < 2;
}

template <bool kRight>
__device__ void readers_that_acquire(int* out, int* state) {
  const auto load = [](int* from) { return Device(*from).load(cuda::memory_order_acquire); };
  two_readers(
      out, state, [](int* to) { Device(*to).store(1, cuda::memory_order_release); },
      [&](int* from) {
        while (load(from) == 0) {
        }
        if (kRight) __threadfence();
      },
      load);
}
PAIR_OF_BLOCKS(late_readers, readers_that_acquire)

template <bool kRight>
__device__ void volatile_readers(int* out, int* state) {
  const auto load = [](int* from) { return *(volatile int*)from; };
  two_readers(
      out, state, [](int* to) { *(volatile int*)to = 1; },
      [&](int* from) {
        while (load(from) == 0) {
        }
        kRight ? __threadfence() : __threadfence_block();
      },
      load);
}
PAIR_OF_BLOCKS(late_votes, volatile_readers)
