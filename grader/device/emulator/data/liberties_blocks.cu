// Kernels in pairs, as in liberties.cu: blocks that are preempted between two strong accesses.
#include "liberties_pair.cuh"

#include <cuda/atomic>

using Device = cuda::atomic_ref<int, cuda::thread_scope_device>;
constexpr auto kRelaxed = cuda::memory_order_relaxed;

// ---- read, changed, stored

template <bool kRight>
__device__ void bits(int* out, int*) {
  const int mine = 1 << blockIdx.x;
  if (kRight)
    atomicOr(out, mine);
  else
    *(volatile int*)out = *(volatile int*)out | mine;
}
PAIR_OF_BLOCKS(lost_bit, bits)

template <bool kRight>
__device__ void toggle(int* out, int*) {
  const int mine = 3 << blockIdx.x;
  if (kRight)
    atomicXor(out, mine);
  else
    *(volatile int*)out = *(volatile int*)out ^ mine;
}
PAIR_OF_BLOCKS(lost_toggle, toggle)

template <bool kRight>
__device__ void count_down(int* out, int*) {
  if (kRight)
    atomicSub(out, 1);
  else
    Device(*out).store(Device(*out).load(kRelaxed) - 1, kRelaxed);
}
PAIR_OF_BLOCKS(lost_subtraction, count_down)

template <bool kRight>
__device__ void product(int* out, int*) {
  int old = atomicCAS(out, 0, 1) ? *(volatile int*)out : 1;
  if (!kRight) {
    *(volatile int*)out = 2 * *(volatile int*)out;
    return;
  }
  for (int seen; (seen = atomicCAS(out, old, 2 * old)) != old; old = seen) {
  }
}
PAIR_OF_BLOCKS(lost_product, product)

template <bool kRight>
__device__ void smallest(int* out, int*) {
  const int mine =
      -1 - static_cast<int>((blockIdx.x + 7) % gridDim.x); // the first has the smallest
  if (kRight)
    atomicMin(out, mine);
  else if (*(volatile int*)out > mine)
    *(volatile int*)out = mine;
}
PAIR_OF_BLOCKS(smallest, smallest)

// The sum of two words, of which each is read by itself.
template <bool kRight>
__device__ void long_sum(int* out, int* state) {
  auto* const sum = reinterpret_cast<unsigned long long*>(state);
  if (kRight)
    atomicAdd(sum, 1);
  else
    *(volatile unsigned long long*)sum = *(volatile unsigned long long*)sum + 1;
  if (atomicAdd(state + 4, 1) == gridDim.x - 1) out[0] = static_cast<int>(atomicAdd(sum, 0));
}
PAIR_OF_BLOCKS(lost_long, long_sum)

template <bool kRight>
__device__ void real_sum(int* out, int* state) {
  auto* const sum = reinterpret_cast<float*>(state);
  if (kRight)
    atomicAdd(sum, 1.0f);
  else
    *(volatile float*)sum = *(volatile float*)sum + 1.0f;
  if (atomicAdd(state + 4, 1) == gridDim.x - 1) out[0] = static_cast<int>(atomicAdd(sum, 0.0f));
}
PAIR_OF_BLOCKS(lost_real, real_sum)

// ---- looked at, and acted on then

// A place of a list, by its length.
template <bool kRight>
__device__ void append(int* out, int* state) {
  int place = 0;
  if (kRight) {
    place = atomicAdd(state, 1);
  } else {
    place = *(volatile int*)state;
    *(volatile int*)state = place + 1;
  }
  if (atomicExch(state + 8 + place, 1) == 0) atomicAdd(out, 1);
}
PAIR_OF_BLOCKS(append, append)

// The first to find nothing there makes it.
template <bool kRight>
__device__ void made_once(int* out, int* state) {
  const bool first =
      kRight ? atomicCAS(state, 0, 1) == 0 : Device(*state).load(cuda::memory_order_acquire) == 0;
  if (!first) return;
  atomicAdd(out, 1);
  Device(*state).store(1, cuda::memory_order_release);
}
PAIR_OF_BLOCKS(made_once, made_once)

// Takes from a pool that has four.
template <bool kRight>
__device__ void taken(int* out, int* state) {
  int had = 0;
  if (kRight) {
    had = atomicAdd(state, 1);
  } else {
    had = atomicAdd(state, 0);
    atomicExch(state, had + 1);
  }
  if (had < 4) atomicAdd(out, 1);
}
PAIR_OF_BLOCKS(pool, taken)

// Who comes last says so, and looks twice.
template <bool kRight>
__device__ void last_by_two(int* out, int* state) {
  Device count(*state);
  if (kRight) {
    if (count.fetch_add(1) == gridDim.x - 1) atomicAdd(out, 1);
  } else {
    count.fetch_add(1);
    if (count.load() == gridDim.x) atomicAdd(out, 1);
  }
}
PAIR_OF_BLOCKS(last_by_two, last_by_two)

// Counts first and adds then: who counts last may add up before another has added.
template <bool kRight>
__device__ void count_and_add(int* out, int* state) {
  int before = 0;
  if (!kRight) before = atomicAdd(state, 1);
  for (int part = 0; part < 15; ++part) atomicAdd(state + 1 + 8 * part + blockIdx.x % 8, 1);
  if (kRight) __threadfence();
  if (kRight) before = atomicAdd(state, 1);
  if (before != gridDim.x - 1) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += atomicAdd(state + 1 + 8 * 14 + b, 0);
  out[0] = sum;
}
PAIR_OF_BLOCKS(counts_first, count_and_add)

// The same of the greatest.
template <bool kRight>
__device__ void count_and_compare(int* out, int* state) {
  int before = 0;
  if (!kRight) before = atomicAdd(state, 1);
  for (int part = 0; part < 15; ++part) atomicMax(state + 1 + 8 * part + blockIdx.x % 8, 1 + part);
  if (kRight) __threadfence();
  if (kRight) before = atomicAdd(state, 1);
  if (before != gridDim.x - 1) return;
  int found = 0;
  for (int b = 0; b < gridDim.x; ++b) found += atomicMax(state + 1 + 8 * 14 + b, 0) > 0;
  out[0] = found;
}
PAIR_OF_BLOCKS(compares_late, count_and_compare)

// ---- who comes when

// The block with the last number is not the last.
template <bool kRight>
__device__ void last_number(int* out, int* state) {
  const int before = atomicAdd(state, 1);
  if (kRight ? before == gridDim.x - 1 : blockIdx.x == gridDim.x - 1) out[0] = before + 1;
}
PAIR_OF_BLOCKS(last_number, last_number)

template <bool kRight>
__device__ void first_number(int* out, int* state) {
  const bool first = atomicCAS(state + blockIdx.x / 2, 0, 1) == 0; // of two
  if (kRight ? first : first && blockIdx.x % 2 == 0) atomicAdd(out, 1);
}
PAIR_OF_BLOCKS(first_number, first_number)

// Numbers that come in the order of blocks.
template <bool kRight>
__device__ void ascending(int* out, int* state) {
  const int before = atomicExch(state, blockIdx.x + 1);
  if (kRight || before == blockIdx.x) atomicAdd(out, 1);
}
PAIR_OF_BLOCKS(ascending, ascending)

// ---- waits for the block before it, for a while

template <int kLooks>
__device__ void by_number(int* out, int* state) {
  Device mine(state[blockIdx.x]);
  int before = 0, looks = kLooks;
  if (blockIdx.x > 0) {
    Device theirs(state[blockIdx.x - 1]);
    while ((before = theirs.load(cuda::memory_order_acquire)) == 0 && --looks) {
    }
  }
  mine.store(before + 1, cuda::memory_order_release);
  if (blockIdx.x == gridDim.x - 1) out[0] = before + 1;
}
template <bool kRight>
__device__ void chain_once(int* out, int* state) {
  by_number<kRight ? 0 : 1>(out, state);
}
PAIR_OF_BLOCKS(chain_once, chain_once)
template <bool kRight>
__device__ void chain_thrice(int* out, int* state) {
  by_number<kRight ? 0 : 3>(out, state);
}
PAIR_OF_BLOCKS(chain_thrice, chain_thrice)

// Looks by an atomic, a few times.
template <bool kRight>
__device__ void asked(int* out, int* state) {
  const int number = atomicAdd(state, 1);
  int looks = 20;
  while (atomicAdd(state + 1, 0) != number && (kRight || --looks)) {
  }
  const int before = atomicAdd(state + 2, 1);
  atomicAdd(state + 1, 1);
  if (before == number) atomicAdd(out, 1);
}
PAIR_OF_BLOCKS(turn_looked_for, asked)

// A lock whose holder is not asked.
template <bool kRight>
__device__ void try_lock(int* out, int* state) {
  while (atomicCAS(state, 0, 1) != 0 && kRight) {
  }
  *(volatile int*)out = *(volatile int*)out + 1;
  __threadfence();
  atomicExch(state, 0);
}
PAIR_OF_BLOCKS(lock_tried, try_lock)

// ---- a variable that nothing sets first

#define SUM(name, type, first, step)                                                               \
  __global__ void name(int* out, int* state) {                                                     \
    type sum first;                                                                                \
    const int n = state[127] + 96; /* which no compiler knows */                                   \
    for (int i = threadIdx.x; i < n; i += 32) step;                                                \
    if (blockIdx.x == 0 && threadIdx.x == 0) out[0] = static_cast<int>(sum);                       \
  }
SUM(unset_sum_wrong, int, , sum += state[i] + 1)
SUM(unset_sum_right, int, = 0, sum += state[i] + 1)
SUM(unset_real_wrong, float, , sum += static_cast<float>(state[i] + 1))
SUM(unset_real_right, float, = 0, sum += static_cast<float>(state[i] + 1))
SUM(unset_bits_wrong, int, , sum ^= state[i] + (i >= 64) + 2 * (i < 32))
SUM(unset_bits_right, int, = 0, sum ^= state[i] + (i >= 64) + 2 * (i < 32))

// ---- a stack that has the same top again, and is another one (ABA)

// Of three nodes, from 0; a node's next is the one behind it where nothing has been stored. A tag
// beside the top says how often it has changed.
template <bool kRight>
struct Stack {
  int* words; // the top, three nexts, how often each is taken, what it says
  __device__ int changed(int top, int node) const {
    return kRight ? (top & ~255) + 256 + node : node;
  }
  __device__ int pop(bool looks) const {
    Device top(words[0]);
    int old = top.load(cuda::memory_order_acquire);
    for (;;) {
      const int node = old & 255;
      if (node == 3) return node;
      const int next = node + 1 + Device(words[1 + node]).load(kRelaxed);
      for (int k = 0; looks && k < 16; ++k) Device(words[8 + k]).load(kRelaxed);
      if (top.compare_exchange_strong(old, changed(old, next), cuda::memory_order_acq_rel))
        return node;
    }
  }
  __device__ void push(int node) const {
    Device top(words[0]);
    int old = top.load(cuda::memory_order_acquire);
    do Device(words[1 + node]).store((old & 255) - node - 1, kRelaxed);
    while (!top.compare_exchange_strong(old, changed(old, node), cuda::memory_order_acq_rel));
  }
  __device__ void take(int node) const {
    if (node < 3) atomicAdd(words + 4 + node, 1);
  }
};

// One takes the top, having looked at what it says; the other takes two and gives one back.
template <bool kRight>
__device__ void same_top(int* out, int* state) {
  const Stack<kRight> mine{state + blockIdx.x / 2 * 32};
  if (blockIdx.x % 2 == 0) {
    mine.take(mine.pop(true));
  } else {
    const int first = mine.pop(false), second = mine.pop(false);
    if (first < 3) mine.push(first);
    mine.take(second);
  }
  __threadfence();
  if (atomicAdd(state + 24, 1) != gridDim.x - 1) return;
  __threadfence();
  int most = 0;
  for (int k = 0; k < gridDim.x / 2; ++k) {
    const Stack<kRight> each{state + 32 * k};
    for (int n = 0; n < 4; ++n) each.take(each.pop(false));
    for (int n = 0; n < 3; ++n) most = max(most, atomicAdd(each.words + 4 + n, 0));
  }
  atomicExch(out, most);
}
PAIR_OF_BLOCKS(same_top, same_top)
