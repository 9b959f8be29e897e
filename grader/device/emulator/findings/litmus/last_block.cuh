// The last block to finish adds up what all have left in global memory.
#include "kernel.cuh"

namespace last_block_of_all {
__device__ unsigned finished;
__device__ int partial[64];
} // namespace last_block_of_all
using namespace last_block_of_all;

// Right: partial, fence, count, flag, barrier, as the programming guide has it.
KERNEL(last_block) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x];
}
// Wrong: without the fence a block may be counted before its partial is there.
KERNEL(last_block_no_fence) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; //! race
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; //! race
}
// Wrong: the fence comes when the block has been counted.
KERNEL(last_block_fence_late) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; //! race
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; //! race
}
// Wrong: a fence for the own block only.
KERNEL(last_block_fence_block) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; //! race
    __threadfence_block();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; //! race
}
// Wrong: the one with the highest number need not be the last.
KERNEL(last_block_by_number) {
  if (threadIdx.x == 0) partial[blockIdx.x] = in[blockIdx.x]; //! race
  __threadfence();
  __syncthreads();
  const bool last = blockIdx.x == gridDim.x - 1;
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; //! race
}
// Wrong: counts with an atomic of the block's scope.
KERNEL(last_block_block_scope) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; //! race
    __threadfence();
    last = atomicInc_block(&finished, gridDim.x) == gridDim.x - 1; //! race
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; //! race
}
// Wrong: counts without an atomic; whether a block is the last is a matter of luck.
KERNEL(last_block_plain_count) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; //! perhaps
    __threadfence();
    last = ++finished == gridDim.x; //! race
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; //! perhaps
}
// Wrong: thread 1 executes a fence, and thread 0 wrote.
KERNEL(last_block_fence_of_another) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; //! race
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  if (threadIdx.x == 1) __threadfence();
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; //! race
}
// Wrong: nothing between thread 0's answer and the others, who look at it.
KERNEL(last_block_no_barrier) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; //! perhaps
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1; //! race
  }
  if (last && threadIdx.x < gridDim.x)       //! race
    out[threadIdx.x] = partial[threadIdx.x]; //! perhaps
}

// Right: all threads write, a barrier, and thread 0's fence is for the whole block.
KERNEL(last_block_of_threads) {
  __shared__ bool last;
  out[index_in_grid()] = in[index_in_grid()];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last)
    for (int i = threadIdx.x; i < threads_of_grid(); i += blockDim.x) out[512 + i] = out[i];
}
// Wrong: without the barrier thread 0 counts the block before the others have written.
KERNEL(last_block_of_threads_early) {
  __shared__ bool last;
  out[index_in_grid()] = in[index_in_grid()]; //! race
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last)
    for (int i = threadIdx.x; i < threads_of_grid(); i += blockDim.x)
      out[512 + i] = out[i]; //! race
}

// Right: in C++ the count releases and acquires.
KERNEL(last_block_reference) {
  __shared__ bool last;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(finished);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    last = count.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x];
}
// Wrong: a relaxed count.
KERNEL(last_block_reference_relaxed) {
  __shared__ bool last;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(finished);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; //! race
    last = count.fetch_add(1, cuda::memory_order_relaxed) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; //! race
}
// Wrong: the first to be counted does, while the others count.
KERNEL(last_block_first_sets_back) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    const unsigned counted = atomicAdd(&finished, 1); //! race
    if (counted == 0) finished = 0;                   //! race
    last = counted == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x];
}
// Right: whoever counts last has seen that the others have, and there is nothing else to see.
KERNEL(last_block_sets_back_unfenced) {
  if (threadIdx.x == 0 && atomicAdd(&finished, 1) == gridDim.x - 1) finished = 0;
}
