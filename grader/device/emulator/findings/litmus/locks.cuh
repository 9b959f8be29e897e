// Locks in global memory: blocks change one word, one after the other.
#include "kernel.cuh"

namespace locks {
__device__ int lock, lock_of[2], balance, turns, now_serving;
}
using namespace locks;

// Right: a fence when the lock has been taken, and one before it is given back.
KERNEL(lock_fenced) {
  if (threadIdx.x > 0) return;
  AWAIT(atomicCAS(&lock, 0, 1) == 0);
  __threadfence();
  balance += in[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}
// Wrong: the lock may be seen free before the new value is there.
KERNEL(lock_no_second_fence) {
  if (threadIdx.x > 0) return;
  AWAIT(atomicCAS(&lock, 0, 1) == 0);
  __threadfence();
  balance += in[blockIdx.x]; //! race
  atomicExch(&lock, 0);
}
// Wrong: a plain store beside the others' atomics, which orders nothing.
KERNEL(lock_plain_release) {
  if (threadIdx.x > 0) return;
  AWAIT(atomicCAS(&lock, 0, 1) == 0); //! race
  __threadfence();
  balance += in[blockIdx.x]; //! race
  __threadfence();
  lock = 0; //! race
}
// Wrong: a lock of the block's scope keeps no other block out.
KERNEL(lock_block_scope) {
  if (threadIdx.x > 0) return;
  AWAIT(atomicCAS_block(&lock, 0, 1) == 0); //! race
  __threadfence();
  balance += in[blockIdx.x]; //! race
  __threadfence();
  atomicExch_block(&lock, 0); //! race
}
// Wrong: two locks for one word.
KERNEL(lock_two) {
  if (threadIdx.x > 0) return;
  AWAIT(atomicCAS(&lock_of[blockIdx.x % 2], 0, 1) == 0);
  __threadfence();
  balance += in[blockIdx.x]; //! race
  __threadfence();
  atomicExch(&lock_of[blockIdx.x % 2], 0);
}
// Wrong: the lock is given back before the last store.
KERNEL(lock_given_back_early) {
  if (threadIdx.x > 0) return;
  AWAIT(atomicCAS(&lock, 0, 1) == 0);
  __threadfence();
  const int sum = balance + in[blockIdx.x]; //! race
  __threadfence();
  atomicExch(&lock, 0);
  balance = sum; //! race
}
// Wrong: who only reads needs the lock as well.
KERNEL(lock_not_for_reader) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x % 2) {
    out[blockIdx.x] = balance; //! race
    return;
  }
  AWAIT(atomicCAS(&lock, 0, 1) == 0);
  __threadfence();
  balance += in[blockIdx.x]; //! race
  __threadfence();
  atomicExch(&lock, 0);
}
// Wrong: thread 0 holds the lock, and all threads work.
KERNEL(lock_of_one_thread) {
  if (threadIdx.x == 0) AWAIT(atomicCAS(&lock, 0, 1) == 0);
  __syncthreads();
  balance += in[index_in_grid()]; //! race
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&lock, 0);
}

// Right: in C++, taken by an acquire and given back by a release.
KERNEL(lock_reference) {
  if (threadIdx.x > 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> held(lock);
  AWAIT(held.exchange(1, cuda::memory_order_acquire) == 0);
  balance += in[blockIdx.x];
  held.store(0, cuda::memory_order_release);
}
// Wrong: given back by a relaxed store.
KERNEL(lock_reference_relaxed) {
  if (threadIdx.x > 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> held(lock);
  AWAIT(held.exchange(1, cuda::memory_order_acquire) == 0);
  balance += in[blockIdx.x]; //! race
  held.store(0, cuda::memory_order_relaxed);
}

// Right: numbers are drawn, and each waits for its turn.
KERNEL(turns_fenced) {
  if (threadIdx.x > 0) return;
  volatile int& serving = now_serving;
  const int mine = atomicAdd(&turns, 1);
  AWAIT(serving == mine);
  balance += in[blockIdx.x];
  __threadfence();
  serving = mine + 1;
}
// Wrong: the next one is called before the new value is there.
KERNEL(turns_no_fence) {
  if (threadIdx.x > 0) return;
  volatile int& serving = now_serving;
  const int mine = atomicAdd(&turns, 1);
  AWAIT(serving == mine);
  balance += in[blockIdx.x]; //! race
  serving = mine + 1;
}
