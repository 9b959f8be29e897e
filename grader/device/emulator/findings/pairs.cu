// Kernels in pairs: one with a mistake that the memory checker must report, and its mended twin,
// on which it must stay silent. pairs.csv says what is expected, and pairs_test.cpp runs both.
//
// All are launched with one block of 128 threads, 2,048 bytes of dynamic shared memory,
// `out` and `in` of 128 ints each; `in` is initialised. The line of a mistake carries a mark,
// "//! mistake", and where a race has two lines, "//! other".
// Long, because a table of pairs is read best in one piece.

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;

#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in)

// --- A barrier is missing between writing a tile and reading it ---

KERNEL(missing_barrier_buggy) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t];                 //! other
  out[t] = tile[kThreads - 1 - t]; //! mistake
}
KERNEL(missing_barrier_mended) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[kThreads - 1 - t];
}

// --- A tile is used again, and some lanes still read its first contents ---

KERNEL(second_use_buggy) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  const int first = tile[kThreads - 1 - t]; //! other
  tile[t] = first + 1;                      //! mistake
  __syncthreads();
  out[t] = first + tile[(t + 1) % kThreads];
}
KERNEL(second_use_mended) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  const int first = tile[kThreads - 1 - t];
  __syncthreads();
  tile[t] = first + 1;
  __syncthreads();
  out[t] = first + tile[(t + 1) % kThreads];
}

// --- A loop over tiles without the barrier at its end ---

KERNEL(tile_loop_buggy) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  int sum = 0;
  for (int step = 0; step < 4; ++step) {
    tile[t] = in[(t + step) % kThreads]; //! mistake
    __syncthreads();
    sum += tile[(t * 7 + step) % kThreads]; //! other
  }
  out[t] = sum;
}
KERNEL(tile_loop_mended) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  int sum = 0;
  for (int step = 0; step < 4; ++step) {
    tile[t] = in[(t + step) % kThreads];
    __syncthreads();
    sum += tile[(t * 7 + step) % kThreads];
    __syncthreads();
  }
  out[t] = sum;
}

// --- The warp-synchronous tail of the classic reductions ---

KERNEL(volatile_tail_buggy) {
  __shared__ volatile int data[64];
  const int t = threadIdx.x;
  if (t < 64) data[t] = in[t];
  __syncthreads();
  if (t < 32) {
    data[t] += data[t + 32]; //! other
    data[t] += data[t + 16]; //! mistake
    data[t] += data[t + 8];  //! mistake
    data[t] += data[t + 4];  //! mistake
    data[t] += data[t + 2];  //! mistake
    data[t] += data[t + 1];  //! mistake
  }
  if (t == 0) out[0] = data[0];
}
KERNEL(volatile_tail_mended) {
  __shared__ int data[64];
  const int t = threadIdx.x;
  if (t < 64) data[t] = in[t];
  __syncthreads();
  if (t < 32) {
    int sum = data[t] + data[t + 32];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(kAll, sum, offset);
    if (t == 0) out[0] = sum;
  }
}

// --- The same tail, with __syncwarp in the right places ---

KERNEL(syncwarp_tail_buggy) {
  __shared__ int data[64];
  const int t = threadIdx.x;
  if (t < 64) data[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int offset = 32; offset > 0; offset /= 2) {
      const int other = data[t + offset]; //! other
      data[t] += other;                   //! mistake
      __syncwarp();
    }
  }
  if (t == 0) out[0] = data[0];
}
KERNEL(syncwarp_tail_mended) {
  __shared__ int data[64];
  const int t = threadIdx.x;
  if (t < 64) data[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int offset = 32; offset > 0; offset /= 2) {
      const int other = data[t + offset];
      __syncwarp();
      data[t] += other;
      __syncwarp();
    }
  }
  if (t == 0) out[0] = data[0];
}

// --- A barrier inside a branch that only part of the block takes ---

KERNEL(barrier_in_branch_buggy) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = 0;
  if (t < 40) {
    tile[t] = in[t];
    __syncthreads(); //! mistake
    out[t] = tile[39 - t];
  }
}
KERNEL(barrier_in_branch_mended) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = t < 40 ? in[t] : 0;
  __syncthreads();
  if (t < 40) out[t] = tile[39 - t];
}

// --- Threads over the edge return before the barrier ---

KERNEL(early_return_buggy) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  if (t >= 100) return;
  tile[t] = in[t];
  __syncthreads(); //! mistake
  out[t] = tile[99 - t];
}
KERNEL(early_return_mended) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  if (t < 100) tile[t] = in[t];
  __syncthreads();
  if (t < 100) out[t] = tile[99 - t];
}

// --- A stencil reads its halo, which no lane wrote ---

KERNEL(halo_buggy) {
  __shared__ int tile[kThreads + 2];
  const int t = threadIdx.x;
  tile[t + 1] = in[t];
  __syncthreads();
  out[t] = tile[t] + tile[t + 1] + tile[t + 2]; //! mistake
}
KERNEL(halo_mended) {
  __shared__ int tile[kThreads + 2];
  const int t = threadIdx.x;
  tile[t + 1] = in[t];
  if (t == 0) tile[0] = 0;
  if (t == kThreads - 1) tile[kThreads + 1] = 0;
  __syncthreads();
  out[t] = tile[t] + tile[t + 1] + tile[t + 2];
}

// --- The halo is written by the first lanes and read before a barrier ---

KERNEL(halo_early_buggy) {
  __shared__ int tile[kThreads + 2];
  const int t = threadIdx.x;
  tile[t + 1] = in[t];
  __syncthreads();
  if (t < 2) tile[t * (kThreads + 1)] = 0; //! other
  out[t] = tile[t] + tile[t + 2];          //! mistake
}
KERNEL(halo_early_mended) {
  __shared__ int tile[kThreads + 2];
  const int t = threadIdx.x;
  tile[t + 1] = in[t];
  if (t < 2) tile[t * (kThreads + 1)] = 0;
  __syncthreads();
  out[t] = tile[t] + tile[t + 2];
}

// --- Double buffering with one barrier too few ---

KERNEL(double_buffer_buggy) {
  __shared__ int tile[2][kThreads];
  const int t = threadIdx.x;
  int sum = 0;
  tile[0][t] = in[t];
  __syncthreads();
  for (int step = 0; step < 4; ++step) {
    sum += tile[step % 2][kThreads - 1 - t]; //! mistake
    tile[1 - step % 2][t] = in[t] + step;    //! other
  }
  out[t] = sum;
}
KERNEL(double_buffer_mended) {
  __shared__ int tile[2][kThreads];
  const int t = threadIdx.x;
  int sum = 0;
  tile[0][t] = in[t];
  __syncthreads();
  for (int step = 0; step < 4; ++step) {
    sum += tile[step % 2][kThreads - 1 - t];
    tile[1 - step % 2][t] = in[t] + step;
    __syncthreads();
  }
  out[t] = sum;
}

// --- Buffers swapped one step too early ---

KERNEL(buffer_swap_buggy) {
  __shared__ int tile[2][kThreads];
  const int t = threadIdx.x;
  int current = 0;
  tile[current][t] = in[t];
  for (int step = 0; step < 3; ++step) {
    __syncthreads();
    const int left = tile[current][(t + kThreads - 1) % kThreads]; //! other
    tile[current][t] = left + 1;                                   //! mistake
    current = 1 - current;
    tile[current][t] = left;
  }
  out[t] = tile[current][t];
}
KERNEL(buffer_swap_mended) {
  __shared__ int tile[2][kThreads];
  const int t = threadIdx.x;
  int current = 0;
  tile[current][t] = in[t];
  for (int step = 0; step < 3; ++step) {
    __syncthreads();
    const int left = tile[current][(t + kThreads - 1) % kThreads];
    current = 1 - current;
    tile[current][t] = left + 1;
  }
  out[t] = tile[current][t];
}

// --- Many lanes add to one counter without an atomic ---

KERNEL(counter_buggy) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (in[t] >= 0) count += 1; //! mistake
  __syncthreads();
  out[t] = count;
}
KERNEL(counter_mended) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (in[t] >= 0) atomicAdd(&count, 1);
  __syncthreads();
  out[t] = count;
}

// --- A counter that no lane set to zero ---

KERNEL(counter_start_buggy) {
  __shared__ int count;
  const int t = threadIdx.x;
  atomicAdd(&count, in[t]); //! mistake
  __syncthreads();
  out[t] = count;
}
KERNEL(counter_start_mended) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, in[t]);
  __syncthreads();
  out[t] = count;
}

// --- The counter is read before every warp has added to it ---

KERNEL(counter_read_buggy) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, in[t]); //! other
  out[t] = count;           //! mistake
}
KERNEL(counter_read_mended) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, in[t]);
  __syncthreads();
  out[t] = count;
}

// --- Two lanes write different values to one word ---

KERNEL(two_writers_buggy) {
  __shared__ int tile[kThreads / 2];
  const int t = threadIdx.x;
  tile[t / 2] = in[t] + t; //! mistake
  __syncthreads();
  out[t] = tile[t / 2];
}
KERNEL(two_writers_mended) {
  __shared__ int tile[kThreads / 2];
  const int t = threadIdx.x;
  if (t % 2 == 0) tile[t / 2] = in[t] + t;
  __syncthreads();
  out[t] = tile[t / 2];
}

// --- __syncwarp orders one warp, not the block ---

KERNEL(syncwarp_for_block_buggy) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t]; //! other
  __syncwarp();
  out[t] = tile[kThreads - 1 - t]; //! mistake
}
KERNEL(syncwarp_for_block_mended) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncwarp();
  out[t] = tile[t / 32 * 32 + 31 - t % 32];
}

// --- A shuffle moves registers; it does not order memory ---

KERNEL(shuffle_is_no_fence_buggy) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t]; //! other
  const int sum = __shfl_xor_sync(kAll, in[t], 1);
  out[t] = sum + tile[t ^ 1]; //! mistake
}
KERNEL(shuffle_is_no_fence_mended) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t];
  const int sum = __shfl_xor_sync(kAll, in[t], 1);
  __syncwarp();
  out[t] = sum + tile[t ^ 1];
}

// --- Bytes: neighbours in a word do not race, one byte for two lanes does ---

KERNEL(bytes_buggy) {
  __shared__ char tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = static_cast<char>(in[t]);
  __syncthreads();
  tile[t] = static_cast<char>(tile[(t + 1) % kThreads] + 1); //! mistake
  __syncthreads();
  out[t] = tile[t];
}
KERNEL(bytes_mended) {
  __shared__ char tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = static_cast<char>(in[t]);
  tile[t] = static_cast<char>(tile[t] + 1);
  __syncthreads();
  out[t] = tile[(t + 1) % kThreads];
}

// --- Part of a dynamic array is read before it was written ---

KERNEL(dynamic_buggy) {
  extern __shared__ int words[];
  const int t = threadIdx.x;
  words[2 * t] = in[t];
  __syncthreads();
  out[t] = words[2 * t] + words[2 * t + 1]; //! mistake
}
KERNEL(dynamic_mended) {
  extern __shared__ int words[];
  const int t = threadIdx.x;
  words[2 * t] = in[t];
  words[2 * t + 1] = 0;
  __syncthreads();
  out[t] = words[2 * t] + words[2 * t + 1];
}

// --- One array runs over into the next ---

KERNEL(overrun_buggy) {
  __shared__ int first[kThreads];
  __shared__ int second[kThreads];
  const int t = threadIdx.x;
  first[t] = in[t];
  second[t] = -in[t];
  __syncthreads();
  out[t] = first[t + 1] + second[t]; //! mistake
}
KERNEL(overrun_mended) {
  __shared__ int first[kThreads + 1];
  __shared__ int second[kThreads];
  const int t = threadIdx.x;
  first[t] = in[t];
  second[t] = -in[t];
  if (t == 0) first[kThreads] = 0;
  __syncthreads();
  out[t] = first[t + 1] + second[t];
}

// --- Beyond global memory ---

KERNEL(global_past_end_buggy) {
  const int t = threadIdx.x;
  out[t] = in[t + 1]; //! mistake
}
KERNEL(global_past_end_mended) {
  const int t = threadIdx.x;
  out[t] = t + 1 < kThreads ? in[t + 1] : 0;
}

// --- Global memory that no one wrote ---

KERNEL(global_uninitialised_buggy) {
  const int t = threadIdx.x;
  out[t] += in[t]; //! mistake
}
KERNEL(global_uninitialised_mended) {
  const int t = threadIdx.x;
  out[t] = in[t];
  out[t] += in[t];
}

// --- A local array with a hole ---

KERNEL(local_hole_buggy) {
  const int t = threadIdx.x;
  int history[8];
  for (int i = 0; i < 8; i += 2) history[(i + in[0]) & 7] = in[t] + i;
  out[t] = history[(in[t] + 1 + 2 * t) & 7]; //! mistake
}
KERNEL(local_hole_mended) {
  const int t = threadIdx.x;
  int history[8];
  for (int i = 0; i < 8; ++i) history[(i + in[0]) & 7] = in[t] + i;
  out[t] = history[(in[t] + 1 + 2 * t) & 7];
}

// --- A misaligned wide access ---

KERNEL(misaligned_buggy) {
  __shared__ int tile[kThreads + 1];
  const int t = threadIdx.x;
  for (int i = t; i < kThreads + 1; i += kThreads) tile[i] = in[i % kThreads];
  __syncthreads();
  const int2 pair = *reinterpret_cast<const int2*>(&tile[t]); //! mistake
  out[t] = pair.x + pair.y;
}
KERNEL(misaligned_mended) {
  __shared__ __align__(8) int tile[kThreads];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  const int2 pair = *reinterpret_cast<const int2*>(&tile[t & ~1]);
  out[t] = pair.x + pair.y;
}

// --- A shuffle reads lanes that have left ---

KERNEL(shuffle_inactive_buggy) {
  const int t = threadIdx.x;
  if (t % 32 >= 16) return;
  out[t] = __shfl_down_sync(0x0000ffff, in[t], 8) + __shfl_sync(0xffff, in[t], 20); //! mistake
}
KERNEL(shuffle_inactive_mended) {
  const int t = threadIdx.x;
  if (t % 32 >= 16) return;
  out[t] = __shfl_down_sync(0x0000ffff, in[t], 8, 16);
}
