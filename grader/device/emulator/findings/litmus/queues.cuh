// Places that are drawn, queues of work, and histograms, between blocks.
#include "kernel.cuh"

namespace queues {
__device__ int next_place, comers, head, tail, items[16], ready[16];
}
using namespace queues;

// Right: each draws a place of its own.
KERNEL(place_atomic) {
  if (threadIdx.x == 0) out[atomicAdd(&next_place, 1)] = in[blockIdx.x];
}
// Wrong: two draw the same.
KERNEL(place_plain) {
  if (threadIdx.x == 0) out[next_place++] = in[blockIdx.x]; //! race
}
// Wrong: drawn by an atomic of the block's scope, two blocks draw the same.
KERNEL(place_block_scope) {
  if (threadIdx.x == 0) out[atomicAdd_block(&next_place, 1)] = in[blockIdx.x]; //! race
}
// Wrong: the numbers are drawn well, but halved, so that two share a place.
KERNEL(place_for_two) {
  if (threadIdx.x == 0) out[atomicAdd(&next_place, 1) / 2] = in[blockIdx.x]; //! race
}

// Right: item, fence, ready; a consumer waits for its item.
KERNEL(queue_ready) {
  if (atomicAdd(&comers, 1) < 4) {
    const int place = atomicAdd(&tail, 1);
    items[place] = in[place];
    __threadfence();
    atomicExch(&ready[place], 1);
  } else {
    const int place = atomicAdd(&head, 1);
    AWAIT(atomicAdd(&ready[place], 0));
    __threadfence();
    out[place] = items[place];
  }
}
// Wrong: without the fence an item may be ready before it is there.
KERNEL(queue_no_fence) {
  if (atomicAdd(&comers, 1) < 4) {
    const int place = atomicAdd(&tail, 1);
    items[place] = in[place]; //! race
    atomicExch(&ready[place], 1);
  } else {
    const int place = atomicAdd(&head, 1);
    AWAIT(atomicAdd(&ready[place], 0));
    out[place] = items[place]; //! race
  }
}
// Wrong: the tail says that a place was drawn, not that it has been filled.
KERNEL(queue_tail_first) {
  if (atomicAdd(&comers, 1) < 4) {
    __threadfence();
    const int place = atomicAdd(&tail, 1);
    items[place] = in[place]; //! race
  } else {
    const int place = atomicAdd(&head, 1);
    AWAIT(atomicAdd(&tail, 0) > place);
    __threadfence();
    out[place] = items[place]; //! race
  }
}
// Wrong: ready for the own block only.
KERNEL(queue_ready_block) {
  if (atomicAdd(&comers, 1) < 4) {
    const int place = atomicAdd(&tail, 1);
    items[place] = in[place]; //! race
    __threadfence();
    atomicExch_block(&ready[place], 1); //! race
  } else {
    const int place = atomicAdd(&head, 1);
    AWAIT(atomicAdd(&ready[place], 0)); //! race
    __threadfence();
    out[place] = items[place]; //! race
  }
}

// Right: a histogram in global memory.
KERNEL(histogram_atomic) {
  atomicAdd(&out[in[index_in_grid()] % 16], 1);
}
// Wrong: counts are lost.
KERNEL(histogram_plain) {
  out[in[index_in_grid()] % 16]++; //! race
}
// Wrong: of the block's scope, with several blocks.
KERNEL(histogram_block_scope) {
  atomicAdd_block(&out[in[index_in_grid()] % 16], 1); //! race
}
// Wrong: every block sets the bins to zero before it counts.
KERNEL(histogram_zeroed_inside) {
  if (threadIdx.x < 16) out[threadIdx.x] = 0; //! race
  __syncthreads();
  atomicAdd(&out[in[index_in_grid()] % 16], 1); //! race
}
// Right: the launch before does.
KERNEL(histogram_zero) {
  if (index_in_grid() < 16) out[threadIdx.x] = 0;
}

// Right: counted in shared memory, then added to global memory by atomics.
KERNEL(flush_atomic) {
  __shared__ int bins[16];
  const int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[index_in_grid()] % 16], 1);
  __syncthreads();
  if (t < 16) atomicAdd(&out[t], bins[t]);
}
// Wrong: added by a plain addition, while other blocks do the same.
KERNEL(flush_plain) {
  __shared__ int bins[16];
  const int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[index_in_grid()] % 16], 1);
  __syncthreads();
  if (t < 16) out[t] += bins[t]; //! race
}
// Wrong: added before all threads of the block have counted.
KERNEL(flush_early) {
  __shared__ int bins[16];
  const int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[index_in_grid()] % 16], 1); //! race
  if (t < 16) atomicAdd(&out[t], bins[t]);       //! race
}
