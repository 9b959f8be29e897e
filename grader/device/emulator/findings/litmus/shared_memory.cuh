// Races in shared memory, beyond those of pairs.cu: barriers of part of a block, what is no
// barrier, asynchronous copies, and threads that wait for each other within a block.
#include "kernel.cuh"

// Wrong: a scan in place; the sum is stored while others still read the old one.
KERNEL(scan_one_barrier) {
  __shared__ int data[128];
  const int t = threadIdx.x;
  data[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < 128; offset *= 2) {
    const int before = t >= offset ? data[t - offset] : 0; //! race
    data[t] += before;                                     //! race
    __syncthreads();
  }
  out[t] = data[t];
}
// Right: a barrier between reading and storing as well.
KERNEL(scan_two_barriers) {
  __shared__ int data[128];
  const int t = threadIdx.x;
  data[t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < 128; offset *= 2) {
    const int before = t >= offset ? data[t - offset] : 0;
    __syncthreads();
    data[t] += before;
    __syncthreads();
  }
  out[t] = data[t];
}

// Wrong: the first warp reads what the last lanes of the others may not have stored.
KERNEL(warp_sums_early) {
  __shared__ int sums[4];
  const int t = threadIdx.x;
  const int sum = __reduce_add_sync(kAll, in[t]);
  if (t % 32 == 31) sums[t / 32] = sum; //! race
  if (t < 4) out[t] = sums[t];          //! race
}
// Right: a barrier in between.
KERNEL(warp_sums_barrier) {
  __shared__ int sums[4];
  const int t = threadIdx.x;
  const int sum = __reduce_add_sync(kAll, in[t]);
  if (t % 32 == 31) sums[t / 32] = sum;
  __syncthreads();
  if (t < 4) out[t] = sums[t];
}

// Wrong: thread 0 writes the next round's word while others still read this round's.
KERNEL(broadcast_one_barrier) {
  __shared__ int word;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) word = in[round]; //! race
    __syncthreads();
    sum += word; //! race
  }
  out[threadIdx.x] = sum;
}
// Right: a second barrier at the end of a round.
KERNEL(broadcast_two_barriers) {
  __shared__ int word;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) word = in[round];
    __syncthreads();
    sum += word;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Wrong: one barrier a round of two buffers is enough, but here it comes at the wrong place.
KERNEL(two_buffers_overtaken) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    __syncthreads();
    tile[round % 2][t] = in[t] + round;    //! race
    sum += tile[round % 2][(t + 1) % 128]; //! race
  }
  out[t] = sum;
}
// Right: between writing a buffer and reading it; the next round writes the other.
KERNEL(two_buffers_in_turn) {
  __shared__ int tile[2][128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    tile[round % 2][t] = in[t] + round;
    __syncthreads();
    sum += tile[round % 2][(t + 1) % 128];
  }
  out[t] = sum;
}

// Wrong: a tile transposed in place without a barrier between reading and writing.
KERNEL(swap_at_once) {
  __shared__ int tile[8][16];
  const int x = threadIdx.x % 8, y = threadIdx.x / 8 % 8;
  if (threadIdx.x < 64) tile[y][x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 64) return;
  const int other = tile[x][y]; //! race
  tile[y][x] = other;           //! race
  out[threadIdx.x] = other;
}
// Right: everybody reads, then everybody writes.
KERNEL(swap_barrier) {
  __shared__ int tile[8][16];
  const int x = threadIdx.x % 8, y = threadIdx.x / 8 % 8;
  if (threadIdx.x < 64) tile[y][x] = in[threadIdx.x];
  __syncthreads();
  const int other = threadIdx.x < 64 ? tile[x][y] : 0;
  __syncthreads();
  if (threadIdx.x < 64) tile[y][x] = other;
  out[threadIdx.x] = other;
}

// Wrong: two barriers of half the block each, and the values cross.
KERNEL(named_barriers_apart) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t]; //! race
  asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
  out[t] = tile[127 - t]; //! race
}
// Right: one barrier of all.
KERNEL(named_barrier_of_all) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t];
  asm volatile("bar.sync 1, 128;" ::: "memory");
  out[t] = tile[127 - t];
}

// Wrong: the producers say that they are done, and then write.
KERNEL(arrive_too_early) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 64) {
    asm volatile("bar.arrive 1, 128;" ::: "memory");
    tile[t] = in[t]; //! race
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[t] = tile[t - 64]; //! race
  }
}
// Right: they write first.
KERNEL(arrive_when_done) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 64) {
    tile[t] = in[t];
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[t] = tile[t - 64];
  }
}

// Wrong: of two arrays in dynamic shared memory the second begins within the first.
KERNEL(dynamic_overlap) {
  extern __shared__ int words[];
  const int t = threadIdx.x;
  int* const first = words;
  int* const second = words + 64;
  first[t] = in[t];   //! race
  second[t] = -in[t]; //! race
  __syncthreads();
  out[t] = first[t] + second[127 - t];
}
// Right: behind it.
KERNEL(dynamic_apart) {
  extern __shared__ int words[];
  const int t = threadIdx.x;
  int* const first = words;
  int* const second = words + 128;
  first[t] = in[t];
  second[t] = -in[t];
  __syncthreads();
  out[t] = first[t] + second[127 - t];
}

// Wrong: half a word is stored while another thread reads all of it.
KERNEL(half_in_word_at_once) {
  __shared__ int words[128];
  const int t = threadIdx.x;
  words[t] = in[t];
  __syncthreads();
  reinterpret_cast<short*>(words)[2 * t] = 1; //! race
  out[t] = words[127 - t];                    //! race
}
// Right: behind a barrier.
KERNEL(half_in_word_barrier) {
  __shared__ int words[128];
  const int t = threadIdx.x;
  words[t] = in[t];
  __syncthreads();
  reinterpret_cast<short*>(words)[2 * t] = 1;
  __syncthreads();
  out[t] = words[127 - t];
}

// Wrong: the counter is set back while others still read it.
KERNEL(reset_early) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;        //! race
  if (threadIdx.x == 0) count = 0; //! race
}
// Right: when everybody has read it.
KERNEL(reset_late) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
  __syncthreads();
  if (threadIdx.x == 0) count = 0;
}

// Worth a note: whoever finds it stores the same.
KERNEL(found_in_block_store) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] % 3 == 0) found = 1; //! same value
  __syncthreads();
  out[threadIdx.x] = found;
}
// Right: the barrier itself can say whether anybody found it.
KERNEL(found_in_block_barrier) {
  out[threadIdx.x] = __syncthreads_or(in[threadIdx.x] % 3 == 0);
}
// Wrong: set to zero by one thread and to one by others, and nothing between.
KERNEL(found_in_block_reset) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;         //! race
  if (in[threadIdx.x] % 3 == 0) found = 1; //! race
  __syncthreads();
  out[threadIdx.x] = found;
}

// Wrong: a copy that nobody waits for.
KERNEL(copy_not_waited) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], 4); //! race
  __pipeline_commit();
  __syncthreads();
  out[t] = tile[127 - t]; //! race
}
// Wrong: each thread waits for its own copy, and reads another's.
KERNEL(copy_no_barrier) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], 4); //! race
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[127 - t]; //! race
}
// Right: waits, then the barrier.
KERNEL(copy_wait_barrier) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[127 - t];
}

// Right: a flag in shared memory, with a fence of the block's scope before it.
KERNEL(warp_flag_fence) {
  __shared__ int data, flag;
  volatile int& raised = flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = in[0];
    __threadfence_block();
    raised = 1;
  } else if (threadIdx.x == 32) {
    AWAIT(raised);
    out[0] = data;
  }
}
// Wrong: without it.
KERNEL(warp_flag_no_fence) {
  __shared__ int data, flag;
  volatile int& raised = flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = in[0]; //! race
    raised = 1;   //! perhaps
  } else if (threadIdx.x == 32) {
    AWAIT(raised); //! perhaps
    out[0] = data; //! race
  }
}

// Right: the last warp to count adds up; a fence before the count.
KERNEL(last_warp_fence) {
  __shared__ int sums[4], finished;
  const int t = threadIdx.x;
  if (t == 0) finished = 0;
  __syncthreads();
  const int sum = __reduce_add_sync(kAll, in[t]);
  if (t % 32 > 0) return;
  sums[t / 32] = sum;
  __threadfence_block();
  if (atomicAdd(&finished, 1) == 3) out[0] = sums[0] + sums[1] + sums[2] + sums[3];
}
// Wrong: counted, perhaps, before the sum is there.
KERNEL(last_warp_no_fence) {
  __shared__ int sums[4], finished;
  const int t = threadIdx.x;
  if (t == 0) finished = 0;
  __syncthreads();
  const int sum = __reduce_add_sync(kAll, in[t]);
  if (t % 32 > 0) return;
  sums[t / 32] = sum;                                                               //! race
  if (atomicAdd(&finished, 1) == 3) out[0] = sums[0] + sums[1] + sums[2] + sums[3]; //! race
}
