// Many threads, one word of global memory: adding, counting, looking for the largest.
#include "kernel.cuh"

namespace sums {
__device__ int arrived;
}

// Wrong: blocks read the same old sum, and parts are lost.
KERNEL(sum_plain) {
  if (threadIdx.x == 0) out[0] += in[blockIdx.x]; //! race
}
// Right: each addition is one step that nobody comes between.
KERNEL(sum_atomic) {
  if (threadIdx.x == 0) atomicAdd(&out[0], in[blockIdx.x]);
}

// Wrong: the lanes of a warp add to one word.
KERNEL(warp_sum_plain) {
  out[0] += in[threadIdx.x]; //! race
}
// Right: the lanes add up among themselves, and one of them stores.
KERNEL(warp_sum_reduced) {
  const int sum = __reduce_add_sync(kAll, in[threadIdx.x]);
  if (threadIdx.x == 0) out[0] = sum;
}

// Wrong: all threads of a block add to one word.
KERNEL(block_sum_plain) {
  out[0] += in[threadIdx.x]; //! race
}
// Right: the same by an atomic.
KERNEL(block_sum_atomic) {
  atomicAdd(&out[0], in[threadIdx.x]);
}

// Wrong: an atomic of the block's scope is none for the other blocks.
KERNEL(sum_block_scope) {
  atomicAdd_block(&out[0], in[index_in_grid()]); //! race
}
// Right: each block has a word of its own.
KERNEL(sum_a_block) {
  atomicAdd_block(&out[blockIdx.x], in[index_in_grid()]);
}

// Wrong: between the comparison and the store another thread stores something larger.
KERNEL(largest_plain) {
  const int mine = in[index_in_grid()];
  if (mine > out[0]) out[0] = mine; //! race
}
// Right: comparing and storing are one step.
KERNEL(largest_atomic) {
  atomicMax(&out[0], in[index_in_grid()]);
}

// Wrong: the look before the atomic is a plain one, and what others do is atomic.
KERNEL(largest_peek) {
  const int mine = in[index_in_grid()];
  if (mine > out[0]) atomicMax(&out[0], mine); //! race
}
// Right: a volatile look; the largest only grows, so an old value does no harm.
KERNEL(largest_peek_volatile) {
  const int mine = in[index_in_grid()];
  if (mine > *static_cast<volatile int*>(&out[0])) atomicMax(&out[0], mine);
}

// Wrong: threads of one warp, and of two blocks, set bits of one word.
KERNEL(bits_plain) {
  const int i = index_in_grid();
  out[i / 32] |= 1 << i % 32; //! race
}
// Right: atomicOr sets one bit and leaves the others.
KERNEL(bits_atomic) {
  const int i = index_in_grid();
  atomicOr(&out[i / 32], 1 << i % 32);
}

// Wrong: a block reads the sum while others still add to it.
KERNEL(sum_read_early) {
  atomicAdd(&out[0], in[blockIdx.x]); //! race
  out[1 + blockIdx.x] = out[0];       //! race
}
// Right: the next launch reads it.
KERNEL(sum_add) {
  atomicAdd(&out[0], in[blockIdx.x]);
}
KERNEL(sum_read) {
  out[1 + blockIdx.x] = out[0];
}

// Wrong: block 0 need not be the first.
KERNEL(sum_reset_inside) {
  if (blockIdx.x == 0) out[0] = 0;    //! race
  atomicAdd(&out[0], in[blockIdx.x]); //! race
}
// Right: the launch before sets it to zero.
KERNEL(sum_reset) {
  if (blockIdx.x == 0) out[0] = 0;
}

// Wrong: reads the counter again, which others go on counting.
KERNEL(count_read_again) {
  atomicAdd(&sums::arrived, 1);                                           //! race
  out[blockIdx.x] = sums::arrived == static_cast<int>(gridDim.x) ? 1 : 0; //! race
}
// Right: takes what its own atomic returned.
KERNEL(count_returned) {
  const int before = atomicAdd(&sums::arrived, 1);
  out[blockIdx.x] = before == static_cast<int>(gridDim.x) - 1 ? 1 : 0;
}
