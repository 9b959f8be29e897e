// Registers that warpgroups of a block hand to each other. bench/hopper/limits.cu has measured on
// an H200 what becomes of most of these; book/data/h200/hopper_limits.csv says so by the same
// names.
#include <cuda/ptx>

constexpr int kThreads = 384; // 168 registers each, where one block a multiprocessor is promised

template <int n>
__device__ void give_back() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(n));
}
template <int n>
__device__ void ask() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(n));
}
__device__ bool is_first() {
  return threadIdx.x < 128;
}

__global__ void __launch_bounds__(kThreads, 1) fair(int* out) {
  if (is_first())
    give_back<40>();
  else
    ask<232>();
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(kThreads, 1) kept(int* out) {
  if (!is_first()) ask<232>();
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(kThreads, 1) left(int* out) {
  if (is_first()) return;
  ask<232>();
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(kThreads, 1) all_ask(int* out) {
  ask<232>();
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(kThreads, 1) late(int* out) {
  if (is_first()) {
    for (int i = 0; i < 100; ++i) atomicAdd(out + 384, 1);
    give_back<40>();
  } else {
    ask<232>();
  }
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(kThreads, 1) too_many(int* out) {
  if (is_first())
    give_back<40>();
  else
    ask<240>();
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(kThreads, 1) one_warp(int* out) {
  if (threadIdx.x < 32) give_back<40>();
  if (!is_first()) ask<232>();
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(kThreads, 1) twice(int* out) {
  for (int round = 0; round < 4; ++round) {
    if (is_first())
      give_back<40>();
    else
      ask<232>();
    asm volatile("bar.sync 1, 384;");
    if (is_first())
      ask<168>();
    else
      give_back<168>();
    asm volatile("bar.sync 1, 384;");
  }
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(256, 2) half_of_the_multiprocessor(int* out) {
  ask<256>();
  out[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(256, 1) eight_warps(int* out) {
  ask<256>();
  out[threadIdx.x] = 1;
}

// As `kept`, while the first thread waits for those that wait: a ring whose producer keeps its own.
__global__ void __launch_bounds__(kThreads, 1) kept_by_a_producer(int* out) {
  __shared__ uint64_t empty;
  if (threadIdx.x == 0) cuda::ptx::mbarrier_init(&empty, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    while (!cuda::ptx::mbarrier_try_wait_parity(&empty, 0)) {
    }
  }
  if (is_first()) return;
  ask<232>();
  if (threadIdx.x == 128) cuda::ptx::mbarrier_arrive(&empty);
  out[threadIdx.x] = 1;
}

// Without a bound that says how many registers there are, ptxas leaves both out.
__global__ void __launch_bounds__(kThreads) left_out(int* out) {
  if (!is_first()) ask<232>();
  out[threadIdx.x] = 1;
}
