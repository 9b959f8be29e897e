// Words of global memory that one thread writes and another reads or writes: neighbours, halos,
// buffers, and indices that overlap.
#include "kernel.cuh"

// Wrong: reads the neighbour's word at once.
KERNEL(neighbour_at_once) {
  const int t = threadIdx.x;
  out[t] = in[t];                    //! race
  out[512 + t] = out[(t + 1) % 128]; //! race
}
// Right: a barrier of the block is between.
KERNEL(neighbour_barrier) {
  const int t = threadIdx.x;
  out[t] = in[t];
  __syncthreads();
  out[512 + t] = out[(t + 1) % 128];
}

// Wrong: a barrier orders one block, and the last thread's neighbour is in another.
KERNEL(neighbour_other_block) {
  const int i = index_in_grid();
  out[i] = in[i]; //! race
  __syncthreads();
  out[512 + i] = out[(i + 1) % threads_of_grid()]; //! race
}
// Right: the neighbours of a block's threads are within the block.
KERNEL(neighbour_own_block) {
  const int i = index_in_grid();
  out[i] = in[i];
  __syncthreads();
  out[512 + i] = out[blockIdx.x * blockDim.x + (threadIdx.x + 1) % blockDim.x];
}

// Wrong: in place, over blocks: the neighbour has or has not been replaced yet.
KERNEL(in_place_grid) {
  const int i = index_in_grid();
  out[i] = out[i] + out[i + 1] + in[i]; //! race
}
// Right: reads one buffer and writes another.
KERNEL(two_buffers) {
  const int i = index_in_grid();
  out[512 + i] = in[i] + in[i + 1];
}

// Wrong: within one block, without a barrier between reading and writing.
KERNEL(in_place_block) {
  const int t = threadIdx.x;
  const int sum = in[t] + out[(t + 1) % 128]; //! race
  out[t] = sum;                               //! race
}
// Right: everybody has read before anybody writes.
KERNEL(in_place_barrier) {
  const int t = threadIdx.x;
  const int sum = in[t] + out[(t + 1) % 128];
  __syncthreads();
  out[t] = sum;
}

// Wrong: a fence orders what this thread does; it waits for nobody.
KERNEL(halo_fence) {
  const int i = index_in_grid();
  out[i] = 2 * in[i]; //! race
  __threadfence();
  __syncthreads();
  const int left = i > 0 ? out[i - 1] : 0; //! race
  out[512 + i] = left + 2 * in[i];
}
// Right: the halo is what the last launch wrote.
KERNEL(halo_write) {
  const int i = index_in_grid();
  out[i] = 2 * in[i];
}
KERNEL(halo_read) {
  const int i = index_in_grid();
  const int left = i > 0 ? out[i - 1] : 0;
  out[512 + i] = left + 2 * in[i];
}

// Wrong: rounds over two buffers in one launch, and blocks are not in the same round.
KERNEL(ping_pong_rounds) {
  const int i = index_in_grid(), next = (i + 1) % threads_of_grid();
  for (int round = 0; round < 3; ++round) {
    int* const to = out + round % 2 * 512;
    const int* const from = out + (1 - round % 2) * 512;
    to[i] = from[i] + from[next] + in[i]; //! race
    __syncthreads();
  }
}
// Right: a launch is a round.
KERNEL(ping_pong_even) {
  const int i = index_in_grid(), next = (i + 1) % threads_of_grid();
  out[i] = out[512 + i] + out[512 + next] + in[i];
}
KERNEL(ping_pong_odd) {
  const int i = index_in_grid(), next = (i + 1) % threads_of_grid();
  out[512 + i] = out[i] + out[next] + in[i];
}

// Wrong: one block, and no barrier between the rounds.
KERNEL(ping_pong_at_once) {
  const int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    int* const to = out + round % 2 * 512;
    const int* const from = out + (1 - round % 2) * 512;
    to[t] = from[t] + from[(t + 1) % 128] + in[t]; //! race
  }
}
// Right: with one.
KERNEL(ping_pong_barrier) {
  const int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    int* const to = out + round % 2 * 512;
    const int* const from = out + (1 - round % 2) * 512;
    to[t] = from[t] + from[(t + 1) % 128] + in[t];
    __syncthreads();
  }
}

// Wrong: the stride is the block's, so blocks go over each other's elements.
KERNEL(grid_stride_short) {
  for (int i = index_in_grid(); i < 512; i += blockDim.x) out[i] += in[i]; //! race
}
// Wrong: every block begins at the same element.
KERNEL(grid_stride_same_start) {
  for (int i = threadIdx.x; i < 512; i += blockDim.x) out[i] += in[i]; //! race
}
// Right: begins at the thread's own element, and the stride is the grid.
KERNEL(grid_stride) {
  for (int i = index_in_grid(); i < 512; i += threads_of_grid()) out[i] += in[i];
}

// Wrong: a chunk's last element is the first of the next chunk.
KERNEL(chunk_one_over) {
  const int begin = blockIdx.x * 64;
  for (int i = begin + threadIdx.x; i <= begin + 64; i += blockDim.x) out[i] += in[i]; //! race
}
// Right: it ends before that.
KERNEL(chunk) {
  const int begin = blockIdx.x * 64;
  for (int i = begin + threadIdx.x; i < begin + 64; i += blockDim.x) out[i] += in[i];
}

// Wrong: rows of 64 at a distance of 48: the end of one is the beginning of the next.
KERNEL(rows_overlap) {
  out[blockIdx.x * 48 + threadIdx.x] = in[index_in_grid()]; //! race
}
// Right: at a distance of 64.
KERNEL(rows_apart) {
  out[blockIdx.x * 64 + threadIdx.x] = in[index_in_grid()];
}

// Wrong: the word behind a pair is the next thread's first.
KERNEL(pair_and_next) {
  const int i = index_in_grid();
  reinterpret_cast<int2*>(out)[i] = make_int2(in[i], -in[i]); //! race
  out[2 * i + 2] = 0;                                         //! race
}
// Right: only the last thread ends the list.
KERNEL(pair_and_end) {
  const int i = index_in_grid();
  reinterpret_cast<int2*>(out)[i] = make_int2(in[i], -in[i]);
  if (i == threads_of_grid() - 1) out[2 * i + 2] = 0;
}

// Wrong: half a word is stored, and another block reads the whole of it.
KERNEL(half_beside_word) {
  const int i = index_in_grid();
  reinterpret_cast<short*>(out)[2 * i + 1] = static_cast<short>(in[i]); //! race
  out[512 + i] = out[(i + blockDim.x) % threads_of_grid()];             //! race
}
// Wrong: two threads, one byte.
KERNEL(byte_for_two) {
  const int i = index_in_grid();
  reinterpret_cast<char*>(out)[i / 2] = static_cast<char>(in[i]); //! race
}
// Right: a byte a thread; that four of them share a word does no harm.
KERNEL(byte_a_thread) {
  const int i = index_in_grid();
  reinterpret_cast<char*>(out)[i] = static_cast<char>(in[i]);
}

// Wrong: both threads of a pair swap it.
KERNEL(transpose_twice) {
  const int here = blockIdx.x * 16 + threadIdx.x, there = threadIdx.x * 16 + blockIdx.x;
  const int a = out[here];  //! race
  const int b = out[there]; //! race
  out[here] = b + 1;        //! race
  out[there] = a + 1;       //! race
}
// Right: one of them does.
KERNEL(transpose_once) {
  const int here = blockIdx.x * 16 + threadIdx.x, there = threadIdx.x * 16 + blockIdx.x;
  if (threadIdx.x > blockIdx.x) return;
  const int a = out[here];
  const int b = out[there];
  out[here] = b + 1;
  out[there] = a + 1;
}

// Wrong: several elements go to one place.
KERNEL(scatter_plain) {
  const int i = index_in_grid();
  out[in[i] % 8] = i; //! race
}
// Right: of those that do, the last one is kept, whatever the order.
KERNEL(scatter_largest) {
  const int i = index_in_grid();
  atomicMax(&out[in[i] % 8], i);
}

// Wrong: every block uses the same words to hand values on.
KERNEL(scratch_for_all) {
  const int t = threadIdx.x;
  out[t] = in[index_in_grid()]; //! race
  __syncthreads();
  out[512 + index_in_grid()] = out[blockDim.x - 1 - t]; //! race
}
// Right: each block has its own.
KERNEL(scratch_a_block) {
  out[index_in_grid()] = in[index_in_grid()];
  __syncthreads();
  out[512 + index_in_grid()] = out[blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x];
}
