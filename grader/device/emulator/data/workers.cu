// Kernels of many blocks with something wrong in each, or between them: what is said of them must
// be the same on any number of cores. `in` has 1,024 words, `spare` as many that nothing has
// written, `out` 1,024 zeros. Blocks begin at different words, so that which of them comes first to
// a word depends on who executes them.
#include <cstdint>

#define KERNEL(name) extern "C" __global__ void name(int* out, const int* in, int* spare)

constexpr int kWords = 1024;

__device__ inline int turned(int k) {
  return (k + static_cast<int>(blockIdx.x) * 97) % kWords;
}
#define FOR_WORDS(k) for (int k = threadIdx.x; k < kWords; k += blockDim.x)

// What nothing has written, changed by atomics of whoever comes.
KERNEL(adds_to_unwritten) {
  FOR_WORDS(k) atomicAdd(spare + turned(k), 1);
}
KERNEL(greatest_of_unwritten) {
  FOR_WORDS(k) atomicMax(spare + turned(k), in[k]);
}
KERNEL(bits_of_unwritten) {
  FOR_WORDS(k) {
    atomicOr((unsigned*)spare + turned(k), 1u);
    atomicAnd((unsigned*)spare + turned(k), 3u);
  }
}
KERNEL(long_sums_of_unwritten) {
  FOR_WORDS(k) atomicAdd((unsigned long long*)spare + turned(k) / 2, 1ull);
}
KERNEL(first_blocks_write) { // and the others may come before them
  if (blockIdx.x < 4)
    FOR_WORDS(k) atomicExch(spare + turned(k), 1);
  else
    FOR_WORDS(k) atomicAdd(spare + turned(k), 1);
}
KERNEL(waits_for_a_value) {
  FOR_WORDS(k) {
    if (blockIdx.x % 2) atomicAdd(spare + turned(k), 1);
    out[k] = *(volatile int*)(spare + turned(k)) > 0 ? 1 : 2;
  }
}

// Read, and used.
KERNEL(sums_of_unwritten) {
  int sum = 0;
  FOR_WORDS(k) sum += spare[turned(k)];
  if (sum > 3) atomicAdd(out, 1);
}
KERNEL(bytes_of_unwritten) {
  FOR_WORDS(k) if (((const char*)spare)[turned(k)] > 0) atomicAdd(out + k, 1);
}
KERNEL(writes_half) { // and another block reads the other one
  FOR_WORDS(k) if (k % 2 && blockIdx.x == 0) spare[k] = 1;
  if (blockIdx.x == 1) FOR_WORDS(k) if (k % 2 == 0 && spare[k] > 0) atomicAdd(out, 1);
}

// Between blocks.
KERNEL(blocks_race) {
  FOR_WORDS(k) out[turned(k)] = blockIdx.x;
}
KERNEL(blocks_agree) {
  FOR_WORDS(k) out[turned(k)] = 7;
}
KERNEL(plain_beside_atomic) {
  FOR_WORDS(k) atomicAdd(out + turned(k), 1);
  if (threadIdx.x == 0) out[1] = out[blockIdx.x];
}
KERNEL(promise_broken) {
  FOR_WORDS(k) out[turned(k)] += __ldg(out + k);
}
KERNEL(two_sizes) {
  FOR_WORDS(k) {
    if (k % 2)
      atomicAdd(out + k, 1);
    else
      atomicAdd((unsigned long long*)out + k / 2, 1ull);
  }
}

// In each block, or in some of them.
KERNEL(beyond_the_end) {
  if (blockIdx.x % 7 == 5) out[kWords + blockIdx.x] = 1;
  FOR_WORDS(k) atomicAdd(out + turned(k), 1);
}
KERNEL(misaligned) {
  if (blockIdx.x % 5 == 3) *(int*)((char*)out + 4 * threadIdx.x + blockIdx.x % 4) = 1;
}
KERNEL(beyond_shared) {
  extern __shared__ int dynamic[];
  if (blockIdx.x % 3 == 2) dynamic[16 + blockIdx.x] = in[0];
  atomicAdd(out, dynamic[threadIdx.x % 16]);
}
KERNEL(several_ends) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (blockIdx.x % 4 == 1) out[kWords * 8 + blockIdx.x] = 1;
  if (blockIdx.x % 4 == 2 && threadIdx.x < 32) return;
  if (blockIdx.x % 4 != 3 || threadIdx.x % 2) __syncthreads();
  atomicAdd(out, s[63 - threadIdx.x]);
}
KERNEL(shared_race) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  atomicAdd(out + threadIdx.x, s[(threadIdx.x + blockIdx.x) % 64]);
}
KERNEL(shared_unwritten) {
  __shared__ int s[64];
  if (threadIdx.x < blockIdx.x % 64) s[threadIdx.x] = 1;
  __syncthreads();
  if (s[threadIdx.x] > 0) atomicAdd(out + threadIdx.x, 1);
}
KERNEL(lanes_missing) {
  if (threadIdx.x % 32 >= blockIdx.x % 32)
    atomicAdd(out, __shfl_down_sync(0xffffffff, in[threadIdx.x], 1));
}
KERNEL(idle_lanes) {
  const unsigned some = __activemask();
  int got = 0;
  if (threadIdx.x % 2) got = __shfl_sync(0xaaaaaaaa, in[threadIdx.x], blockIdx.x % 32);
  atomicAdd(out, got + (some == 0));
}
KERNEL(copy_not_waited) {
  __shared__ __align__(16) int s[64];
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x)
               : "memory");
  if (blockIdx.x % 3) asm volatile("cp.async.wait_all;" ::: "memory");
  atomicAdd(out + threadIdx.x, s[threadIdx.x]);
}
KERNEL(copies_unwritten) {
  __shared__ __align__(16) int s[64];
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\ncp.async.wait_all;" ::"r"(to),
               "l"(spare + threadIdx.x + blockIdx.x)
               : "memory");
  atomicAdd(out + threadIdx.x, s[threadIdx.x]);
}
KERNEL(copies_what_others_change) {
  __shared__ __align__(16) int s[64];
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\ncp.async.wait_all;" ::"r"(to),
               "l"(spare + threadIdx.x)
               : "memory");
  atomicAdd(spare + turned(threadIdx.x), s[threadIdx.x] & 1);
}

// Barriers in memory.
#define MBARRIER(what, ...) asm volatile("mbarrier." what ::__VA_ARGS__ : "memory")
KERNEL(phase_not_begun) {
  __shared__ std::uint64_t bar;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
  if (threadIdx.x == 0 && blockIdx.x % 3) MBARRIER("init.shared.b64 [%0], 64;", "r"(at));
  __syncthreads();
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at) : "memory");
  atomicAdd(out, 1);
}
KERNEL(phase_ended_early) {
  __shared__ std::uint64_t bar;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
  if (threadIdx.x == 0) MBARRIER("init.shared.b64 [%0], 64;", "r"(at));
  __syncthreads();
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at) : "memory");
  if (threadIdx.x == blockIdx.x % 64) MBARRIER("inval.shared.b64 [%0];", "r"(at));
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0;\n"
               "selp.b32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(at)
               : "memory");
  atomicAdd(out, done);
}
KERNEL(bulk_of_unwritten) {
  __shared__ __align__(16) int s[64];
  __shared__ std::uint64_t bar;
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(s));
  if (threadIdx.x == 0) {
    MBARRIER("init.shared.b64 [%0], 1;", "r"(at));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], 256; }" ::"r"(at)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "256, [%2];" ::"r"(to),
                 "l"(spare + blockIdx.x % 8 * 64), "r"(at)
                 : "memory");
  }
  __syncthreads();
  unsigned done = 0;
  for (int left = 1000; !done && left; --left)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                 "selp.b32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(at)
                 : "memory");
  atomicAdd(out + threadIdx.x, s[threadIdx.x]);
}
KERNEL(bulk_sums_not_waited) {
  __shared__ __align__(16) int s[64];
  s[threadIdx.x] = 1;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    const auto from = static_cast<unsigned>(__cvta_generic_to_shared(s));
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 256;\n"
                 "cp.async.bulk.commit_group;" ::"l"(spare + blockIdx.x % 4 * 64),
                 "r"(from)
                 : "memory");
  }
  atomicAdd(spare + (blockIdx.x + 2) % 4 * 64 + threadIdx.x, 1);
  if (blockIdx.x % 2) s[threadIdx.x] = 2;
}

// Memory that a kernel asks for.
KERNEL(unwritten_of_malloc) {
  int* mine = static_cast<int*>(malloc(64));
  if (!mine) return;
  if (mine[threadIdx.x % 16] > 0) atomicAdd(out, 1);
  if (blockIdx.x % 2) free(mine);
}
KERNEL(freed_twice) {
  int* mine = static_cast<int*>(malloc(64));
  mine[0] = 1;
  atomicAdd(out, mine[0]);
  free(mine);
  if (blockIdx.x % 6 == 4 && threadIdx.x == 3) free(mine);
}
KERNEL(beyond_malloc) {
  int* mine = static_cast<int*>(malloc(64));
  mine[0] = 1;
  if (blockIdx.x % 6 == 4) mine[16 + threadIdx.x % 2] = 1;
  atomicAdd(out, mine[0]);
}

// What the block before has left, read before anything is written.
KERNEL(left_in_shared) {
  __shared__ __align__(16) int s[64];
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x / 4 * 4));
  int a, b, c, d;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(at)
               : "memory");
  __syncthreads();
  s[threadIdx.x] = in[blockIdx.x];
  atomicAdd(out + threadIdx.x, a + b + c + d);
}
KERNEL(matrix_left_in_shared) {
  __shared__ __align__(16) int s[64];
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(s + threadIdx.x % 8 * 4));
  int a;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(a)
               : "r"(at)
               : "memory");
  __syncthreads();
  s[threadIdx.x] = in[blockIdx.x];
  atomicAdd(out + threadIdx.x, a);
}
KERNEL(left_in_shared_goes_out) {
  __shared__ __align__(16) int s[64];
  if (threadIdx.x == 0) {
    const auto from = static_cast<unsigned>(__cvta_generic_to_shared(s));
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;\n"
                 "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(
                     out + blockIdx.x % 16 * 64),
                 "r"(from)
                 : "memory");
  }
  __syncthreads();
  s[threadIdx.x] = in[blockIdx.x];
}
KERNEL(left_in_local) {
  int mine[16];
#pragma unroll 1
  for (int k = 0; k < static_cast<int>(blockIdx.x) % 16; ++k) mine[in[k]] = in[blockIdx.x];
  atomicAdd(out + threadIdx.x, mine[in[15 - threadIdx.x % 16]]);
}
