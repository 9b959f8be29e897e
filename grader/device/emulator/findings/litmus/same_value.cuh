// Stores of one value by many threads: no harm is done where they are all the same, and it is said.
#include "kernel.cuh"

// Wrong: every thread stores its own number.
KERNEL(all_store_number) {
  out[0] = index_in_grid(); //! race
}
// Worth a note: all store the same.
KERNEL(all_store_one) {
  out[0] = 1; //! same value
}

// Worth a note: all threads of a block say so, and it is read behind a barrier.
KERNEL(done_by_all) {
  out[0] = 1; //! same value
  __syncthreads();
  out[1 + threadIdx.x] = out[0];
}
// Right: one thread says so.
KERNEL(done_by_one) {
  if (threadIdx.x == 0) out[0] = 1;
  __syncthreads();
  out[1 + threadIdx.x] = out[0];
}

// Worth a note: whoever finds something raises the flag.
KERNEL(found_store) {
  if (in[index_in_grid()] % 3 == 0) out[0] = 1; //! same value
}
// Right: the same by an atomic.
KERNEL(found_atomic) {
  if (in[index_in_grid()] % 3 == 0) atomicExch(&out[0], 1);
}

// Wrong: the flag is looked at while others store to it.
KERNEL(found_peek_plain) {
  if (in[index_in_grid()] % 3 == 0 && out[0] == 0) out[0] = 1; //! race
}
// Right: both are volatile; whether a thread sees the flag or not does no harm.
KERNEL(found_peek_volatile) {
  volatile int* const found = &out[0];
  if (in[index_in_grid()] % 3 == 0 && *found == 0) *found = 1;
}

// Worth a note: neighbouring blocks set the word between them to zero, on two lines.
KERNEL(edges_twice) {
  if (threadIdx.x > 0) return;
  out[blockIdx.x * 64] = 7;       //! same value
  out[(blockIdx.x + 1) * 64] = 7; //! same value
}
// Right: each block sets its first, and the last block its last.
KERNEL(edges_once) {
  if (threadIdx.x > 0) return;
  out[blockIdx.x * 64] = 7;
  if (blockIdx.x + 1 == gridDim.x) out[gridDim.x * 64] = 7;
}

// Worth a note: the stride is the block's, but what is stored twice is the same.
KERNEL(copy_short_stride) {
  for (int i = index_in_grid(); i < 512; i += blockDim.x) out[i] = 2 * in[i]; //! same value
}
// Right: the stride is the grid.
KERNEL(copy_grid_stride) {
  for (int i = index_in_grid(); i < 512; i += threads_of_grid()) out[i] = 2 * in[i];
}
