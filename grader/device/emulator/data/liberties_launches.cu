// Kernels in pairs, as in liberties.cu: two launches of streams that nothing orders.
// NAME_after_wrong is launched behind NAME_wrong.
#include <cooperative_groups.h>
#include <cuda/atomic>

using Device = cuda::atomic_ref<int, cuda::thread_scope_device>;
constexpr auto kAcquire = cuda::memory_order_acquire;
constexpr auto kRelease = cuda::memory_order_release;
constexpr auto kRelaxed = cuda::memory_order_relaxed;

// Of one thread a launch.
#define KERNEL_OF_LAUNCHES(name, function, ...)                                                    \
  __global__ void name(int* out, int* state) {                                                     \
    if (threadIdx.x == 0 && blockIdx.x == 0) function<__VA_ARGS__>(out, state);                    \
  }
#define PAIR_OF_LAUNCHES(name, function)                                                           \
  KERNEL_OF_LAUNCHES(name##_wrong, function, false, false)                                         \
  KERNEL_OF_LAUNCHES(name##_after_wrong, function, false, true)                                    \
  KERNEL_OF_LAUNCHES(name##_right, function, true, false)                                          \
  KERNEL_OF_LAUNCHES(name##_after_right, function, true, true)

// Each adds one.
template <bool kRight, bool kAfter>
__device__ void add(int* out, int*) {
  if (kRight)
    atomicAdd(out, 1);
  else
    *(volatile int*)out = *(volatile int*)out + 1;
}
PAIR_OF_LAUNCHES(launches_add, add)

// The greater of two numbers.
template <bool kRight, bool kAfter>
__device__ void greater(int* out, int*) {
  const int mine = kAfter ? 5 : 7;
  if (kRight)
    atomicMax(out, mine);
  else if (*(volatile int*)out < mine)
    *(volatile int*)out = mine;
}
PAIR_OF_LAUNCHES(launches_greater, greater)

// One hands a word to the other, which waits for it or looks once.
template <bool kRight, bool kAfter>
__device__ void hand_over(int* out, int* state) {
  Device flag(state[1]);
  if (!kAfter) {
    state[0] = 7;
    flag.store(1, kRelease);
    return;
  }
  if (kRight)
    while (flag.load(kAcquire) == 0) {
    }
  if (kRight || flag.load(kAcquire)) *out = state[0];
}
PAIR_OF_LAUNCHES(launches_flag, hand_over)

// The same without the release, or with a fence before the store.
template <bool kRight, bool kAfter>
__device__ void publish(int* out, int* state) {
  if (!kAfter) {
    state[0] = 7;
    if (kRight) __threadfence();
    *(volatile int*)(state + 1) = 1;
    return;
  }
  while (*(volatile int*)(state + 1) == 0) {
  }
  __threadfence();
  *out = state[0];
}
PAIR_OF_LAUNCHES(launches_publish, publish)

// A third launch takes what the first has left from the second, which has waited for the first.
template <bool kRight, bool kAfter>
__device__ void pass_on(int*, int* state) {
  if (kRight)
    while (Device(state[1]).load(kAcquire) == 0) {
    }
  Device(state[2]).store(1, kRelease);
}
template <bool kRight, bool kAfter>
__device__ void take_over(int* out, int* state) {
  while (Device(state[2]).load(kAcquire) == 0) {
  }
  *out = state[0];
}
KERNEL_OF_LAUNCHES(passes_on, pass_on, true, false)
KERNEL_OF_LAUNCHES(passes_nothing_on, pass_on, false, false)
KERNEL_OF_LAUNCHES(takes_over, take_over, true, true)

// A lock that both take, around a word of plain accesses.
template <bool kRight, bool kAfter>
__device__ void lock(int* out, int* state) {
  Device taken(*state);
  if (kRight) {
    while (taken.exchange(1, kAcquire)) {
    }
  } else {
    while (taken.load(kAcquire)) {
    }
    taken.store(1, kRelaxed);
  }
  *(volatile int*)out = *(volatile int*)out + 1;
  taken.store(0, kRelease);
}
PAIR_OF_LAUNCHES(launches_lock, lock)

// Who comes second says so.
template <bool kRight, bool kAfter>
__device__ void second(int* out, int* state) {
  const int before = kRight ? atomicAdd(state, 1) : *(volatile int*)state;
  if (!kRight) *(volatile int*)state = before + 1;
  if (before == 1) atomicAdd(out, 1);
}
PAIR_OF_LAUNCHES(launches_second, second)

// Each takes a place of its own.
template <bool kRight, bool kAfter>
__device__ void append(int* out, int* state) {
  Device count(*state);
  int place = 0;
  if (kRight)
    place = count.fetch_add(1, kRelaxed);
  else
    count.store((place = count.load(kRelaxed)) + 1, kRelaxed);
  atomicOr(out, 1 << place);
}
PAIR_OF_LAUNCHES(launches_append, append)

// The one behind is the last: nobody says that.
template <bool kRight, bool kAfter>
__device__ void last(int* out, int* state) {
  const int before = atomicAdd(state, 1);
  if (kRight ? before == 1 : kAfter) atomicExch(out, Device(*state).load(kRelaxed));
}
PAIR_OF_LAUNCHES(launches_last, last)

// A look back at what the one before has not left yet.
template <bool kRight, bool kAfter>
__device__ void look_back(int* out, int* state) {
  Device sum(state[0]);
  if (!kAfter) return sum.store(3, kRelease);
  int before = sum.load(kAcquire);
  while (kRight && before == 0) before = sum.load(kAcquire);
  atomicExch(out, before + 4);
}
PAIR_OF_LAUNCHES(launches_look_back, look_back)

// More than two launches, copies among them, cooperative ones: together_test.cpp has the programs.
KERNEL_OF_LAUNCHES(adds_wrong, add, false, true)
KERNEL_OF_LAUNCHES(adds_right, add, true, true)

// All count by atomics, and two of them add.
template <bool kRight, bool kAdds>
__device__ void count(int* out, int* state) {
  atomicAdd(state, 1);
  if (kAdds) add<kRight, true>(out, state);
}
KERNEL_OF_LAUNCHES(counts, count, true, false)
KERNEL_OF_LAUNCHES(counts_and_adds_wrong, count, false, true)
KERNEL_OF_LAUNCHES(counts_and_adds_right, count, true, true)

// The barrier of the grid parts a read from the store.
template <bool kRight>
__device__ void add_behind_barrier(int* out) {
  const int before = *(volatile int*)out;
  cooperative_groups::this_grid().sync();
  if (threadIdx.x != 0 || blockIdx.x != 0) return;
  if (kRight)
    atomicAdd(out, 1);
  else
    *(volatile int*)out = before + 1;
}
__global__ void adds_in_grid_wrong(int* out, int*) {
  add_behind_barrier<false>(out);
}
__global__ void adds_in_grid_right(int* out, int*) {
  add_behind_barrier<true>(out);
}

// Which of the launches that count it is.
__global__ void numbers(int* out, int* state) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *out = atomicAdd(state, 1);
}
// Takes what was written before it, and counts.
__global__ void takes_and_counts(int* out, const int* from, int* state) {
  if (threadIdx.x != 0 || blockIdx.x != 0) return;
  *out = *from;
  atomicAdd(state, 1);
}

// Each adds what is in constant memory.
__constant__ int step;
template <bool kRight, bool kAfter>
__device__ void add_step(int* out, int*) {
  if (kRight)
    atomicAdd(out, step);
  else
    *(volatile int*)out = *(volatile int*)out + step;
}
KERNEL_OF_LAUNCHES(adds_step_wrong, add_step, false, true)
KERNEL_OF_LAUNCHES(adds_step_right, add_step, true, true)

// Counts, by way of memory that it allocates itself.
__global__ void counts_on_heap(int*, int* state) {
  if (threadIdx.x != 0 || blockIdx.x != 0) return;
  int* const one = new int(1);
  if (one) atomicAdd(state, *one);
  delete one;
}
