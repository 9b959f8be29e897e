// Threads in conflict over global memory, or over shared memory in ways of its own: each mistake
// and its mended twin. `out`, `in`: 4,096 ints each. Lines are named by races_test.cpp.
#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in)

// ---- between blocks
KERNEL(sum_buggy) {
  if (threadIdx.x == 0) *out += in[blockIdx.x];
}
KERNEL(sum_mended) {
  if (threadIdx.x == 0) atomicAdd(out, in[blockIdx.x]);
}
KERNEL(neighbour_block_buggy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  out[i + 2048] = out[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}
KERNEL(neighbour_block_mended) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  out[i + 2048] = out[i ^ 1];
}
KERNEL(block_scope_buggy) {
  atomicAdd_block(out + threadIdx.x, 1);
}
KERNEL(block_scope_mended) {
  atomicAdd_block(out + blockIdx.x * blockDim.x + threadIdx.x / 2, 1);
}
KERNEL(bytes_of_a_word_mended) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  reinterpret_cast<char*>(out)[(i % 4) * (gridDim.x * blockDim.x / 4) + i / 4] = 1;
}
KERNEL(half_beside_a_word_buggy) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0)
    reinterpret_cast<short*>(out)[1] = 1;
  else
    out[blockIdx.x] = out[0];
}
KERNEL(half_beside_a_word_mended) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0)
    reinterpret_cast<short*>(out)[1] = 1;
  else
    reinterpret_cast<short*>(out)[2 * blockIdx.x] = reinterpret_cast<short*>(out)[0];
}

// ---- within a block
KERNEL(same_word_buggy) {
  out[blockIdx.x] += threadIdx.x;
}
KERNEL(same_word_mended) {
  atomicAdd(out + blockIdx.x, threadIdx.x);
}
KERNEL(neighbour_warp_buggy) {
  int* const mine = out + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = in[threadIdx.x];
  mine[threadIdx.x + 2048] = mine[(threadIdx.x + 32) % blockDim.x];
}
KERNEL(neighbour_warp_mended) {
  int* const mine = out + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  mine[threadIdx.x + 2048] = mine[(threadIdx.x + 32) % blockDim.x];
}
KERNEL(neighbour_lane_buggy) {
  int* const mine = out + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = in[threadIdx.x];
  __shfl_sync(~0u, threadIdx.x, 1);
  mine[threadIdx.x + 2048] = mine[threadIdx.x ^ 1];
}
KERNEL(neighbour_lane_mended) {
  int* const mine = out + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  mine[threadIdx.x + 2048] = mine[threadIdx.x ^ 1];
}
KERNEL(volatile_lanes_buggy) {
  volatile int* const mine = out + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = in[threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x + 2048] = mine[threadIdx.x ^ 1];
}

// ---- fences, flags, the last block
__device__ int part[1024];
__device__ unsigned count;

template <typename Before, typename After>
__device__ void last_block(int* out, const int* in, Before before, After after) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
    before();
    last = atomicInc(&count, gridDim.x - 1) == gridDim.x - 1;
    after();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += part[b];
    *out = sum;
  }
}
KERNEL(last_block_buggy) {
  last_block(
      out, in, [] {}, [] {});
}
KERNEL(last_block_mended) {
  last_block(
      out, in, [] { __threadfence(); }, [] {});
}
KERNEL(late_fence_buggy) {
  last_block(
      out, in, [] {}, [] { __threadfence(); });
}
KERNEL(late_fence_mended) {
  last_block(
      out, in, [] { __threadfence(); }, [] { __threadfence(); });
}
KERNEL(block_fence_buggy) {
  last_block(
      out, in, [] { __threadfence_block(); }, [] {});
}

template <typename Barrier>
__device__ void parts_of_all(int* out, const int* in, Barrier barrier) {
  __shared__ bool last;
  part[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
  barrier();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(&count, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += part[b * blockDim.x + threadIdx.x];
  out[threadIdx.x] = sum;
}
KERNEL(parts_of_all_buggy) {
  parts_of_all(out, in, [] {});
}
KERNEL(parts_of_all_mended) {
  parts_of_all(out, in, [] { __syncthreads(); });
}

template <typename Fence>
__device__ void pass_on(int* out, const int* in, Fence fence) {
  if (threadIdx.x) return;
  volatile int* const flag = reinterpret_cast<int*>(part) + 512;
  if (blockIdx.x > 0) {
    while (flag[blockIdx.x - 1] == 0) {
    }
    out[blockIdx.x] = out[blockIdx.x - 1] + in[blockIdx.x];
  } else {
    out[0] = in[0];
  }
  fence();
  flag[blockIdx.x] = 1;
}
KERNEL(pass_on_buggy) {
  pass_on(out, in, [] {});
}
KERNEL(pass_on_mended) {
  pass_on(out, in, [] { __threadfence(); });
}

// The first block waits for the last one.
KERNEL(wait_buggy) {
  if (blockIdx.x == 0)
    while (*static_cast<volatile int*>(out) == 0) {
    }
  else if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
    *out = 1;
}
KERNEL(wait_mended) {
  if (blockIdx.x == 0)
    while (*static_cast<volatile int*>(out) == 0) {
    }
  else if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
    atomicExch(out, 1);
}

template <typename Release>
__device__ void take_turns(int* out, Release release) {
  if (threadIdx.x) return;
  int* const lock = part + 900;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *out += 1;
  release(lock);
}
KERNEL(lock_buggy) {
  take_turns(out, [](int* lock) { atomicExch(lock, 0); });
}
KERNEL(lock_mended) {
  take_turns(out, [](int* lock) {
    __threadfence();
    atomicExch(lock, 0);
  });
}
KERNEL(plain_unlock_buggy) {
  take_turns(out, [](int* lock) {
    __threadfence();
    *lock = 0;
  });
}

__device__ void store_release(int* to, int value) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}
__device__ void store_release_block(int* to, int value) {
  asm volatile("st.release.cta.global.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}
__device__ int load_acquire(const int* from) {
  int value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}
template <typename Store>
__device__ void hand_over(int* out, Store store) {
  if (threadIdx.x) return;
  int* const flag = part + 700;
  if (blockIdx.x == 0) {
    out[0] = 5;
    store(flag, 1);
  } else {
    while (load_acquire(flag) == 0) {
    }
    out[blockIdx.x] = out[0];
  }
}
KERNEL(scope_buggy) {
  hand_over(out, [](int* flag, int value) { store_release_block(flag, value); });
}
KERNEL(scope_mended) {
  hand_over(out, [](int* flag, int value) { store_release(flag, value); });
}

// ---- within a block by flags
KERNEL(flag_in_block_buggy) {
  __shared__ int data, flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  volatile int* const seen = &flag;
  if (threadIdx.x == 0) {
    data = in[0];
    *seen = 1;
  } else if (threadIdx.x == 32) {
    while (*seen == 0) {
    }
    out[blockIdx.x] = data;
  }
}
KERNEL(flag_in_block_mended) {
  __shared__ int data, flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  volatile int* const seen = &flag;
  if (threadIdx.x == 0) {
    data = in[0];
    __threadfence_block();
    *seen = 1;
  } else if (threadIdx.x == 32) {
    while (*seen == 0) {
    }
    out[blockIdx.x] = data;
  }
}

__device__ int relaxed_load(const int* from) {
  int value;
  asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];"
               : "=r"(value)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
               : "memory");
  return value;
}
__device__ void relaxed_store(int* to, int value) {
  asm volatile("st.relaxed.cta.shared.s32 [%0], %1;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "r"(value)
               : "memory");
}
KERNEL(relaxed_tail_buggy) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  if (t < 64) sums[t] = in[t];
  __syncthreads();
  if (t < 32)
    for (int apart = 32; apart; apart /= 2)
      relaxed_store(sums + t, relaxed_load(sums + t) + relaxed_load(sums + t + apart));
  if (t == 0) out[blockIdx.x] = sums[0];
}

// ---- one value by several
KERNEL(one_value) {
  if (in[threadIdx.x] > 3) out[0] = 1;
}
KERNEL(two_values_buggy) {
  out[0] = threadIdx.x;
}
KERNEL(one_value_in_shared) {
  __shared__ bool done;
  if (threadIdx.x == 0) done = false;
  __syncthreads();
  if (in[threadIdx.x] > 3) done = true;
  __syncthreads();
  if (done) out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
KERNEL(one_value_and_a_read_buggy) {
  if (out[0] == 0) out[0] = 1;
}

// ---- read before written, by the same thread
KERNEL(own_word_unwritten) {
  __shared__ int sums[128];
  sums[threadIdx.x] += in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = sums[127 - threadIdx.x];
}
KERNEL(first_thread_unwritten) {
  __shared__ int total;
  if (threadIdx.x == 0) total += in[0];
  __syncthreads();
  out[threadIdx.x] = total;
}
KERNEL(exchange_mended) {
  __shared__ int flag;
  if (threadIdx.x == 0) atomicExch(&flag, in[0]);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = flag;
}

// ---- a strong store behind one that releases, of the same thread
__device__ void store_again(int* out, const int* in, bool early) {
  int* const flag = out + 64;
  if (threadIdx.x || blockIdx.x > 1) return;
  if (blockIdx.x == 0) {
    if (!early) out[0] = in[0];
    asm volatile("st.release.gpu.s32 [%0], 1;" ::"l"(flag) : "memory");
    if (early) out[0] = in[0];
    asm volatile("st.relaxed.gpu.s32 [%0], 2;" ::"l"(flag) : "memory");
  } else {
    int seen;
    do {
      asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    } while (seen != 2);
    __threadfence();
    out[1] = out[0];
  }
}
KERNEL(released_before_buggy) {
  store_again(out, in, true);
}
KERNEL(released_before_mended) {
  store_again(out, in, false);
}

// ---- in place: a block stores where one before it has read, and waits for it
__device__ void compact(int* out, bool fences) {
  volatile int* const done = out + 64;
  if (threadIdx.x) return;
  const int mine = out[2 * blockIdx.x];
  while (blockIdx.x && !done[blockIdx.x - 1]) {
  }
  if (fences) __threadfence();
  done[blockIdx.x] = 1;
  out[blockIdx.x] = mine;
}
KERNEL(in_place_buggy) {
  compact(out, false);
}
KERNEL(in_place_mended) {
  compact(out, true);
}

// ---- lanes of a warp that take a lock in turns
__device__ void by_turns(int* lock, int* count, bool releases) {
  for (bool done = false; !done;) {
    done = atomicCAS(lock, 0, 1) == 0;
    if (!done) continue;
    __threadfence_block();
    *count += 1;
    if (releases) __threadfence_block();
    atomicExch(lock, 0);
  }
}
#define LANE_LOCK(name, releases)                                                                  \
  KERNEL(name) {                                                                                   \
    __shared__ int lock, count;                                                                    \
    if (threadIdx.x == 0) lock = count = 0;                                                        \
    __syncthreads();                                                                               \
    by_turns(&lock, &count, releases);                                                             \
    by_turns(out + 2 * blockIdx.x, out + 2 * blockIdx.x + 1, releases);                            \
  }
LANE_LOCK(lane_lock_buggy, false)
LANE_LOCK(lane_lock_mended, true)

// ---- loads for what nobody writes while the kernel runs
__device__ int read_only(const int* at) {
  return __ldg(at);
}
KERNEL(read_only_own_word) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  out[i + 2048] = __ldg(out + i);
}
KERNEL(read_only_behind_barrier) {
  int* const mine = out + blockIdx.x * blockDim.x;
  mine[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  mine[threadIdx.x + 2048] = __ldg(mine + (threadIdx.x ^ 1));
}
KERNEL(read_only_before_store) {
  int* const mine = out + blockIdx.x * blockDim.x;
  const int found = __ldg(mine + (threadIdx.x ^ 1));
  __syncthreads();
  mine[threadIdx.x] = found + in[threadIdx.x];
}
KERNEL(read_only_beside_atomic) {
  int* const mine = out + blockIdx.x;
  atomicAdd(mine, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x + 2048] = __ldg(mine);
}
KERNEL(read_only_half) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  out[i + 2048] = __ldg(reinterpret_cast<const short*>(out + i) + 1);
}
__device__ int read_at_l2(const int* at) {
  return __ldcg(at);
}
// The last block adds up what all have written.
__device__ void add_parts(int* out, const int* in, int (*read)(const int*)) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[2 + blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicAdd(out + 1, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  int sum = 0;
  for (int i = 0; i < gridDim.x; ++i) sum += read(out + 2 + i);
  out[0] = sum;
}
KERNEL(read_only_parts) {
  add_parts(out, in, read_only);
}
KERNEL(read_only_parts_mended) {
  add_parts(out, in, read_at_l2);
}
// Nobody else writes at its words.
KERNEL(read_only_words_mended) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __ldg(out + 2048 + i) + __ldg(in + i);
}
KERNEL(read_only_bytes_mended) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  char* const bytes = reinterpret_cast<char*>(out + i);
  bytes[0] = 1;
  bytes[1] = __ldg(bytes + 2);
}
// What the last launch wrote may be read so, and nvcc may do it by itself.
extern "C" __global__ void restricted(int* __restrict__ out, const int* __restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

// ---- strong accesses of two sizes, which are not atomic to each other
#define AS_LONG(at) reinterpret_cast<unsigned long long*>(at)
KERNEL(sizes_add_buggy) {
  if (threadIdx.x % 2)
    atomicAdd(AS_LONG(out + 2 * blockIdx.x), 1ull);
  else
    atomicAdd(out + 2 * blockIdx.x, in[0]);
}
KERNEL(sizes_add_mended) { // a number of threads each, in the two halves of one
  if (threadIdx.x % 2)
    atomicAdd(AS_LONG(out + 2 * blockIdx.x), 1ull << 32);
  else
    atomicAdd(AS_LONG(out + 2 * blockIdx.x), 1ull);
}
KERNEL(sizes_of_blocks_buggy) {
  if (threadIdx.x) return;
  if (blockIdx.x % 2)
    atomicExch(AS_LONG(out), 1ull);
  else
    *reinterpret_cast<volatile int*>(out + 1) = 1;
}
KERNEL(sizes_read_buggy) { // a half, by who looks for what has been set
  volatile int* const half = out + 1;
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicExch(AS_LONG(out), 1ull << 32);
  if (threadIdx.x == 0 && blockIdx.x == 1) out[2] = *half;
}
KERNEL(sizes_parts_buggy) { // two volatile words are no access of eight bytes
  volatile int2* const pair = reinterpret_cast<int2*>(out);
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicExch(AS_LONG(out), 1ull << 32);
  if (threadIdx.x == 0 && blockIdx.x == 1) out[2] = pair->x + pair->y;
}
__device__ void add_to_pair(unsigned long long* pair, int first, int second) {
  unsigned long long old = atomicAdd(pair, 0ull), seen;
  do {
    seen = old;
    const auto next = static_cast<unsigned long long>(static_cast<unsigned>(old) + first) |
                      ((old >> 32) + second) << 32;
    old = atomicCAS(pair, seen, next);
  } while (old != seen);
}
KERNEL(sizes_pair_mended) { // its halves are read when all have added
  add_to_pair(AS_LONG(out + 2 * blockIdx.x), 1, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[2048 + blockIdx.x] = out[2 * blockIdx.x] + out[2 * blockIdx.x + 1];
}
KERNEL(sizes_beside_mended) { // in one array, at words of their own
  atomicAdd(AS_LONG(out), 1ull);
  atomicAdd(out + 2, in[0]);
}
KERNEL(sizes_in_turn_mended) { // the block's barrier is between
  atomicAdd(out + 2 * blockIdx.x, in[0]);
  __syncthreads();
  atomicAdd(AS_LONG(out + 2 * blockIdx.x), 1ull);
}
template <bool kApart, bool kInTurn>
__device__ void sizes_in_shared(int* out) {
  __shared__ unsigned long long pair[2];
  if (threadIdx.x < 2) pair[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 2) atomicAdd(pair, 1ull);
  if (kInTurn) __syncthreads();
  if (threadIdx.x % 2 == 0) atomicAdd(reinterpret_cast<int*>(pair + kApart), 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<int>(pair[0] + pair[1]);
}
KERNEL(sizes_in_shared_buggy) {
  sizes_in_shared<false, false>(out);
}
KERNEL(sizes_in_shared_mended) {
  sizes_in_shared<true, false>(out);
  sizes_in_shared<false, true>(out);
}
