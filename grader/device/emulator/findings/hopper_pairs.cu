// Memory that works by itself: kernels with one mistake and mended twins. Long, as there are many.
// hopper_pairs.csv says how each is launched and what has to be said of it, and
// hopper_pairs_test.cpp runs all, whatever block or warp comes first. The line of a mistake carries
// a mark, "//! mistake"; a kernel without one ends for another reason than a line.
//
// `in` has 4,096 ints, and `map` is 64 rows of 64 of them, in boxes of 8 rows of 32 with a swizzle
// of 128 bytes. Products of warpgroups have more pairs in products.cu. Long, because pairs are read
// best in one piece.
#include <cuda.h>

#include <cstdint>

constexpr int kThreads = 128, kBytes = 4 * kThreads, kBox = 1024;

#define KERNEL(name)                                                                               \
  extern "C" __global__ void name(const __grid_constant__ CUtensorMap map, int* out, const int* in)

__device__ unsigned address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
__device__ unsigned mapped(const void* shared, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address(shared)), "r"(rank));
  return there;
}
__device__ unsigned rank() {
  unsigned own;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(own));
  return own;
}

// Macros, so that each is on the line of its kernel.
#define INIT(barrier, count)                                                                       \
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(&barrier)), "r"(count)      \
               : "memory")
#define INVAL(barrier)                                                                             \
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(address(&barrier)) : "memory")
#define FENCE_INIT() asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define FENCE_PROXY(space) asm volatile("fence.proxy.async" space ";" ::: "memory")
#define ARRIVE(barrier)                                                                            \
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&barrier)) : "memory")
#define ARRIVE_TIMES(barrier, count)                                                               \
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(address(&barrier)), "r"(count) \
               : "memory")
#define ARRIVE_RELAXED(barrier)                                                                    \
  asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(address(&barrier))     \
               : "memory")
#define ARRIVE_DROP(bar)                                                                           \
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(address(&bar)) : "memory")
#define ARRIVE_AT(there)                                                                           \
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)         \
               : "memory")
#define EXPECT(barrier, bytes)                                                                     \
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&barrier)),  \
               "r"(bytes)                                                                          \
               : "memory")
#define WAIT(barrier, parity)                                                                      \
  asm volatile("{\n.reg .pred p;\nagain:\n"                                                        \
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra "   \
               "again;\n}" ::"r"(address(&barrier)),                                               \
               "r"(parity)                                                                         \
               : "memory")
#define BULK_IN(to, from, bytes, barrier)                                                          \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "    \
               "%2, [%3];" ::"r"(address(to)),                                                     \
               "l"(from), "r"(bytes), "r"(address(&barrier))                                       \
               : "memory")
#define BULK_OUT(to, from, bytes)                                                                  \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"                     \
               "cp.async.bulk.commit_group;" ::"l"(to),                                            \
               "r"(address(from)), "r"(bytes)                                                      \
               : "memory")
#define BULK_ACROSS(to, from, bytes, barrier)                                                      \
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "     \
               "[%1], %2, [%3];" ::"r"(to),                                                        \
               "r"(address(from)), "r"(bytes), "r"(barrier)                                        \
               : "memory")
#define WAIT_READ() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define WAIT_WRITTEN() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define BOX_IN(to, x, y, barrier)                                                                  \
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes " \
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),                                            \
               "l"(&map), "r"(x), "r"(y), "r"(barrier)                                             \
               : "memory")
#define STORE_ASYNC(to, value, barrier)                                                            \
  asm volatile(                                                                                    \
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to),       \
      "r"(value), "r"(barrier)                                                                     \
      : "memory")
#define STORE_AT(to, value)                                                                        \
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(value) : "memory")
#define LOAD_AT(value, from)                                                                       \
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory")
#define CLUSTER_ARRIVE(how) asm volatile("barrier.cluster.arrive" how ";" ::: "memory")
#define CLUSTER_WAIT(how) asm volatile("barrier.cluster.wait" how ";" ::: "memory")
#define CLUSTER_SYNC()                                                                             \
  CLUSTER_ARRIVE("");                                                                              \
  CLUSTER_WAIT("")

// --- Before there is a barrier in memory

KERNEL(init_without_barrier_buggy) {
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, kThreads);
  ARRIVE(full);  //! mistake
  WAIT(full, 0); //! mistake
  out[threadIdx.x] = 1;
}
KERNEL(init_without_barrier_mended) {
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, kThreads);
  __syncthreads();
  ARRIVE(full);
  WAIT(full, 0);
  out[threadIdx.x] = 1;
}

KERNEL(never_initialised_buggy) {
  __shared__ uint64_t full[2];
  if (threadIdx.x == 0) INIT(full[0], kThreads);
  __syncthreads();
  ARRIVE(full[1]); //! mistake
  out[threadIdx.x] = 1;
}
KERNEL(never_initialised_mended) {
  __shared__ uint64_t full[2];
  if (threadIdx.x < 2) INIT(full[threadIdx.x], kThreads);
  __syncthreads();
  ARRIVE(full[1]);
  out[threadIdx.x] = 1;
}

KERNEL(initialised_again_buggy) { // for the second tile, by who is ahead
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 2);
  __syncthreads();
  if (threadIdx.x == 0) ARRIVE(full);
  __syncthreads();
  if (threadIdx.x == 0) INIT(full, 2); //! mistake
  __syncthreads();
  out[threadIdx.x] = 1;
}
KERNEL(initialised_again_mended) {
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 2);
  __syncthreads();
  if (threadIdx.x < 2) ARRIVE(full);
  WAIT(full, 0);
  __syncthreads();
  if (threadIdx.x == 0) INVAL(full);
  if (threadIdx.x == 0) INIT(full, 2);
  __syncthreads();
  out[threadIdx.x] = 1;
}

KERNEL(stored_over_buggy) { // the tile is one row longer than the author thinks
  __shared__ struct {
    int tile[kThreads];
    uint64_t full;
  } at;
  if (threadIdx.x == 0) INIT(at.full, kThreads);
  __syncthreads();
  ARRIVE(at.full);
  at.tile[threadIdx.x + 2] = in[threadIdx.x]; //! mistake
  out[threadIdx.x] = 1;
}
KERNEL(stored_over_mended) {
  __shared__ struct {
    int tile[kThreads + 2];
    uint64_t full;
  } at;
  if (threadIdx.x == 0) INIT(at.full, kThreads);
  __syncthreads();
  ARRIVE(at.full);
  at.tile[threadIdx.x + 2] = in[threadIdx.x];
  out[threadIdx.x] = 1;
}

// --- Arrivals

KERNEL(arrives_beyond_buggy) {
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 100);
  __syncthreads();
  if (threadIdx.x == 0) ARRIVE_TIMES(full, kThreads); //! mistake
  out[threadIdx.x] = 1;
}
KERNEL(arrives_beyond_mended) {
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, kThreads);
  __syncthreads();
  if (threadIdx.x == 0) ARRIVE_TIMES(full, kThreads);
  out[threadIdx.x] = 1;
}

KERNEL(one_arrival_short_buggy) {
  __shared__ uint64_t filled[3];
  if (threadIdx.x < 3) INIT(filled[threadIdx.x], kThreads);
  __syncthreads();
  if (threadIdx.x != 5) ARRIVE(filled[2]);
  WAIT(filled[2], 0); //! mistake
  out[threadIdx.x] = 1;
}
KERNEL(one_arrival_short_mended) {
  __shared__ uint64_t filled[3];
  if (threadIdx.x < 3) INIT(filled[threadIdx.x], kThreads - 1);
  __syncthreads();
  if (threadIdx.x != 5) ARRIVE(filled[2]);
  WAIT(filled[2], 0);
  out[threadIdx.x] = 1;
}

KERNEL(counted_after_drop_buggy) { // who has dropped out is expected no more
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 2);
  __syncthreads();
  if (threadIdx.x == 0) ARRIVE(full);
  if (threadIdx.x == 32) ARRIVE_DROP(full);
  WAIT(full, 0);
  __syncthreads();
  if (threadIdx.x == 0) ARRIVE_TIMES(full, 2); //! mistake
  WAIT(full, 1);
  out[threadIdx.x] = 1;
}
KERNEL(counted_after_drop_mended) {
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 2);
  __syncthreads();
  if (threadIdx.x == 0) ARRIVE(full);
  if (threadIdx.x == 32) ARRIVE_DROP(full);
  WAIT(full, 0);
  __syncthreads();
  if (threadIdx.x == 0) ARRIVE_TIMES(full, 1);
  WAIT(full, 1);
  out[threadIdx.x] = 1;
}

KERNEL(relaxed_arrival_buggy) { // it tells nobody of what was stored before
  __shared__ uint64_t full;
  __shared__ int values[kThreads];
  if (threadIdx.x == 0) INIT(full, kThreads);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x];
  ARRIVE_RELAXED(full);
  WAIT(full, 0);
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x]; //! mistake
}
KERNEL(relaxed_arrival_mended) {
  __shared__ uint64_t full;
  __shared__ int values[kThreads];
  if (threadIdx.x == 0) INIT(full, kThreads);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x];
  ARRIVE(full);
  WAIT(full, 0);
  out[threadIdx.x] = values[kThreads - 1 - threadIdx.x];
}

KERNEL(other_parity_buggy) { // the phase before the first one has ended at once
  __shared__ uint64_t full;
  __shared__ int values[kThreads];
  if (threadIdx.x == 0) INIT(full, kThreads);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x]; //! mistake
  ARRIVE(full);
  WAIT(full, 1);                                            //! mistake
  out[threadIdx.x] = values[(threadIdx.x + 32) % kThreads]; //! mistake
}
KERNEL(other_parity_mended) {
  __shared__ uint64_t full;
  __shared__ int values[kThreads];
  if (threadIdx.x == 0) INIT(full, kThreads);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x];
  ARRIVE(full);
  WAIT(full, 0);
  out[threadIdx.x] = values[(threadIdx.x + 32) % kThreads];
}

// --- Phases of a ring: the first warp fills, the others use

KERNEL(phases_alias_buggy) { // nothing keeps two phases apart
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 1);
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) ARRIVE(full);
    WAIT(full, round & 1); //! mistake
  }
  out[threadIdx.x] = 1;
}
KERNEL(phases_alias_mended) {
  __shared__ uint64_t full, empty;
  if (threadIdx.x == 0) INIT(full, 1);
  if (threadIdx.x == 0) INIT(empty, kThreads);
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == 0) WAIT(empty, (round & 1) ^ 1);
    if (threadIdx.x == 0) ARRIVE(full);
    WAIT(full, round & 1);
    ARRIVE(empty);
  }
  out[threadIdx.x] = 1;
}

KERNEL(ring_releases_too_early_buggy) {
  __shared__ uint64_t full, empty;
  __shared__ int stage[32];
  if (threadIdx.x == 0) INIT(full, 32);
  if (threadIdx.x == 0) INIT(empty, 96);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x < 32) {
      WAIT(empty, (round & 1) ^ 1);
      stage[threadIdx.x] = in[round * 32 + threadIdx.x]; //! mistake
      ARRIVE(full);
    } else {
      WAIT(full, round & 1);
      ARRIVE(empty);
      sum += stage[(threadIdx.x + 1) % 32]; //! mistake
    }
  }
  out[threadIdx.x] = sum;
}
KERNEL(ring_releases_too_early_mended) {
  __shared__ uint64_t full, empty;
  __shared__ int stage[32];
  if (threadIdx.x == 0) INIT(full, 32);
  if (threadIdx.x == 0) INIT(empty, 96);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x < 32) {
      WAIT(empty, (round & 1) ^ 1);
      stage[threadIdx.x] = in[round * 32 + threadIdx.x];
      ARRIVE(full);
    } else {
      WAIT(full, round & 1);
      sum += stage[(threadIdx.x + 1) % 32];
      ARRIVE(empty);
    }
  }
  out[threadIdx.x] = sum;
}

KERNEL(ring_does_not_wait_buggy) {
  __shared__ uint64_t full;
  __shared__ int stage[32];
  if (threadIdx.x < 32) stage[threadIdx.x] = 0;
  if (threadIdx.x == 0) INIT(full, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    stage[threadIdx.x] = in[threadIdx.x]; //! mistake
    ARRIVE(full);
  } else {
    out[threadIdx.x] = stage[(threadIdx.x + 1) % 32]; //! mistake
  }
}
KERNEL(ring_does_not_wait_mended) {
  __shared__ uint64_t full;
  __shared__ int stage[32];
  if (threadIdx.x < 32) stage[threadIdx.x] = 0;
  if (threadIdx.x == 0) INIT(full, 32);
  __syncthreads();
  if (threadIdx.x < 32) {
    stage[threadIdx.x] = in[threadIdx.x];
    ARRIVE(full);
  } else {
    WAIT(full, 0);
    out[threadIdx.x] = stage[(threadIdx.x + 1) % 32];
  }
}

KERNEL(ring_refills_too_early_buggy) {
  __shared__ uint64_t full[2];
  __shared__ __align__(16) int stage[2][kThreads];
  if (threadIdx.x < 2) INIT(full[threadIdx.x], 1);
  FENCE_INIT();
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 6; ++round) {
    const int s = round % 2;
    if (threadIdx.x == 0) EXPECT(full[s], kBytes);
    if (threadIdx.x == 0) BULK_IN(stage[s], in + round * kThreads, kBytes, full[s]); //! mistake
    WAIT(full[s], round / 2 & 1);                                                    //! mistake
    sum += stage[s][kThreads - 1 - threadIdx.x];                                     //! mistake
  }
  out[threadIdx.x] = sum;
}
KERNEL(ring_refills_too_early_mended) {
  __shared__ uint64_t full[2], empty[2];
  __shared__ __align__(16) int stage[2][kThreads];
  if (threadIdx.x < 2) INIT(full[threadIdx.x], 1);
  if (threadIdx.x < 2) INIT(empty[threadIdx.x], kThreads);
  FENCE_INIT();
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 6; ++round) {
    const int s = round % 2;
    if (threadIdx.x == 0) WAIT(empty[s], (round / 2 & 1) ^ 1);
    if (threadIdx.x == 0) EXPECT(full[s], kBytes);
    if (threadIdx.x == 0) BULK_IN(stage[s], in + round * kThreads, kBytes, full[s]);
    WAIT(full[s], round / 2 & 1);
    sum += stage[s][kThreads - 1 - threadIdx.x];
    ARRIVE(empty[s]);
  }
  out[threadIdx.x] = sum;
}

// --- Bulk copies: bytes, addresses, waits

#define TILE(expected, bytes, offset, waits)                                                       \
  __shared__ uint64_t full;                                                                        \
  __shared__ __align__(16) int tile[kThreads];                                                     \
  if (threadIdx.x == 0) INIT(full, 1);                                                             \
  if (threadIdx.x == 0) FENCE_INIT();                                                              \
  __syncthreads();                                                                                 \
  if (threadIdx.x == 0) EXPECT(full, expected);                                                    \
  if (threadIdx.x == 0) BULK_IN(tile, in + offset, bytes, full);                                   \
  if (waits) WAIT(full, 0);                                                                        \
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x]

KERNEL(too_few_bytes_buggy) {
  TILE(256, kBytes, 0, true); //! mistake
}
KERNEL(too_few_bytes_mended) {
  TILE(kBytes, kBytes, 0, true);
}
KERNEL(too_many_bytes_buggy) {
  TILE(kBytes + 128, kBytes, 0, true); //! mistake
}
KERNEL(too_many_bytes_mended) {
  TILE(kBytes, kBytes, 128, true);
}
KERNEL(odd_size_buggy) {
  TILE(kBytes - 12, kBytes - 12, 0, true); //! mistake
}
KERNEL(odd_size_mended) {
  TILE(kBytes, kBytes, 4, true);
}
KERNEL(odd_address_buggy) {
  TILE(kBytes, kBytes, 1, true); //! mistake
}
KERNEL(odd_address_mended) {
  TILE(kBytes, kBytes, 8, true);
}
KERNEL(copy_not_waited_buggy) {
  TILE(kBytes, kBytes, 0, false); //! mistake
}
KERNEL(copy_not_waited_mended) {
  TILE(kBytes, kBytes, 16, true);
}

KERNEL(told_at_once_buggy) { // the same thread, and nothing in between
  __shared__ uint64_t full;
  __shared__ __align__(16) int tile[kThreads];
  if (threadIdx.x != 0) return;
  INIT(full, 1);
  EXPECT(full, kBytes);
  BULK_IN(tile, in, kBytes, full); //! mistake
  WAIT(full, 0);
  out[0] = tile[5];
}
KERNEL(told_at_once_mended) {
  __shared__ uint64_t full;
  __shared__ __align__(16) int tile[kThreads];
  if (threadIdx.x != 0) return;
  INIT(full, 1);
  FENCE_INIT();
  EXPECT(full, kBytes);
  BULK_IN(tile, in, kBytes, full);
  WAIT(full, 0);
  out[0] = tile[5];
}

// --- Two ways to the same memory

#define OUT(space)                                                                                 \
  __shared__ __align__(16) int tile[kThreads];                                                     \
  tile[kThreads - 1 - threadIdx.x] = in[threadIdx.x];                                              \
  space;                                                                                           \
  __syncthreads();                                                                                 \
  if (threadIdx.x == 0) BULK_OUT(out, tile, kBytes);                                               \
  if (threadIdx.x == 0) WAIT_READ()

KERNEL(stored_unfenced_buggy) {
  OUT((void)0); //! mistake
}
KERNEL(stored_unfenced_mended) {
  OUT(FENCE_PROXY(".shared::cta"));
}
KERNEL(fence_of_global_buggy) { // of the other memory
  OUT(FENCE_PROXY(".global"));  //! mistake
}
KERNEL(fence_of_global_mended) {
  OUT(FENCE_PROXY(""));
}

KERNEL(copied_from_stored_buggy) { // global memory that this kernel has stored to
  __shared__ uint64_t full;
  __shared__ __align__(16) int tile[kThreads];
  out[threadIdx.x] = in[threadIdx.x] + 1;
  if (threadIdx.x == 0) INIT(full, 1);
  if (threadIdx.x == 0) FENCE_INIT();
  __syncthreads();
  if (threadIdx.x == 0) EXPECT(full, kBytes);
  if (threadIdx.x == 0) BULK_IN(tile, out, kBytes, full); //! mistake
  WAIT(full, 0);
  out[kThreads + threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}
KERNEL(copied_from_stored_mended) {
  __shared__ uint64_t full;
  __shared__ __align__(16) int tile[kThreads];
  out[threadIdx.x] = in[threadIdx.x] + 1;
  FENCE_PROXY(".global");
  if (threadIdx.x == 0) INIT(full, 1);
  if (threadIdx.x == 0) FENCE_INIT();
  __syncthreads();
  if (threadIdx.x == 0) EXPECT(full, kBytes);
  if (threadIdx.x == 0) BULK_IN(tile, out, kBytes, full);
  WAIT(full, 0);
  out[kThreads + threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

// --- What copies read, and copies out of shared memory

KERNEL(source_stored_buggy) { // all know that the copy has begun, and nobody that it has come
  __shared__ alignas(16) int tile[kThreads];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    EXPECT(full, kBytes);
    BULK_IN(tile, in, kBytes, full);
  }
  __syncthreads();
  const_cast<int*>(in)[threadIdx.x] = 0; //! mistake
  WAIT(full, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
KERNEL(source_stored_mended) {
  __shared__ alignas(16) int tile[kThreads];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    EXPECT(full, kBytes);
    BULK_IN(tile, in, kBytes, full);
  }
  WAIT(full, 0);
  const_cast<int*>(in)[threadIdx.x] = 0;
  out[threadIdx.x] = tile[threadIdx.x];
}

KERNEL(box_source_stored_buggy) { // by the thread that has asked for it
  __shared__ alignas(1024) int tile[kBox / 4];
  __shared__ uint64_t full;
  if (threadIdx.x != 0) return;
  INIT(full, 1);
  FENCE_PROXY("");
  EXPECT(full, kBox);
  BOX_IN(address(tile), 0, 0, address(&full));
  const_cast<int*>(in)[64] = 0; //! mistake
  WAIT(full, 0);
  out[0] = tile[0];
}
KERNEL(box_source_stored_mended) {
  __shared__ alignas(1024) int tile[kBox / 4];
  __shared__ uint64_t full;
  if (threadIdx.x != 0) return;
  INIT(full, 1);
  FENCE_PROXY("");
  EXPECT(full, kBox);
  BOX_IN(address(tile), 0, 0, address(&full));
  const_cast<int*>(in)[32] = 0; // beside the box
  WAIT(full, 0);
  const_cast<int*>(in)[64] = 0;
  out[0] = tile[0];
}

KERNEL(store_overwritten_buggy) {
  __shared__ __align__(16) int tile[kThreads];
  for (int round = 0; round < 2; ++round) {
    tile[kThreads - 1 - threadIdx.x] = in[threadIdx.x]; //! mistake
    FENCE_PROXY(".shared::cta");
    __syncthreads();
    if (threadIdx.x == 0) BULK_OUT(out + round * kThreads, tile, kBytes);
    __syncthreads();
  }
  if (threadIdx.x == 0) WAIT_READ();
}
KERNEL(store_overwritten_mended) {
  __shared__ __align__(16) int tile[kThreads];
  for (int round = 0; round < 2; ++round) {
    tile[kThreads - 1 - threadIdx.x] = in[threadIdx.x];
    FENCE_PROXY(".shared::cta");
    __syncthreads();
    if (threadIdx.x == 0) BULK_OUT(out + round * kThreads, tile, kBytes);
    if (threadIdx.x == 0) WAIT_READ();
    __syncthreads();
  }
}

KERNEL(store_not_waited_buggy) {
  __shared__ __align__(16) int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  FENCE_PROXY(".shared::cta");
  __syncthreads();
  if (threadIdx.x == 0) BULK_OUT(out, tile, kBytes); //! mistake
}
KERNEL(store_not_waited_mended) {
  __shared__ __align__(16) int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  FENCE_PROXY(".shared::cta");
  __syncthreads();
  if (threadIdx.x == 0) BULK_OUT(out, tile, kBytes);
  if (threadIdx.x == 0) WAIT_WRITTEN();
}

KERNEL(result_read_early_buggy) { // .read: shared memory was read, and no more
  __shared__ __align__(16) int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  FENCE_PROXY(".shared::cta");
  __syncthreads();
  if (threadIdx.x == 0) BULK_OUT(out, tile, kBytes);
  if (threadIdx.x == 0) WAIT_READ();
  __syncthreads();
  out[kThreads + threadIdx.x] = out[kThreads - 1 - threadIdx.x]; //! mistake
}
KERNEL(result_read_early_mended) {
  __shared__ __align__(16) int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];
  FENCE_PROXY(".shared::cta");
  __syncthreads();
  if (threadIdx.x == 0) BULK_OUT(out, tile, kBytes);
  if (threadIdx.x == 0) WAIT_WRITTEN();
  __syncthreads();
  out[kThreads + threadIdx.x] = out[kThreads - 1 - threadIdx.x];
}

// --- Boxes of a tensor map

#define BOX(column, offset, expected)                                                              \
  __shared__ uint64_t full;                                                                        \
  __shared__ __align__(1024) int tile[512];                                                        \
  if (threadIdx.x == 0) INIT(full, 1);                                                             \
  if (threadIdx.x == 0) FENCE_INIT();                                                              \
  __syncthreads();                                                                                 \
  if (threadIdx.x == 0) EXPECT(full, expected);                                                    \
  if (threadIdx.x == 0) BOX_IN(address(tile) + offset, column, 0, address(&full));                 \
  WAIT(full, 0);                                                                                   \
  out[threadIdx.x] = tile[threadIdx.x + offset / 4]

KERNEL(odd_coordinate_buggy) {
  BOX(2, 0, kBox); //! mistake
}
KERNEL(odd_coordinate_mended) {
  BOX(4, 0, kBox);
}
KERNEL(box_misaligned_buggy) {
  BOX(0, 64, kBox); //! mistake
}
KERNEL(box_misaligned_mended) {
  BOX(0, 1024, kBox);
}
KERNEL(edge_not_expected_buggy) { // what lies outside is filled, and told of
  BOX(48, 0, kBox / 2);           //! mistake
}
KERNEL(edge_not_expected_mended) {
  BOX(48, 0, kBox);
}

// --- Clusters of two blocks

KERNEL(neighbour_too_early_buggy) {
  __shared__ int values[kThreads];
  int got;
  values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x]; //! mistake
  LOAD_AT(got, mapped(values + threadIdx.x, rank() ^ 1));        //! mistake
  out[blockIdx.x * kThreads + threadIdx.x] = got;
  CLUSTER_SYNC();
}
KERNEL(neighbour_too_early_mended) {
  __shared__ int values[kThreads];
  int got;
  values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  CLUSTER_SYNC();
  LOAD_AT(got, mapped(values + threadIdx.x, rank() ^ 1));
  out[blockIdx.x * kThreads + threadIdx.x] = got;
  CLUSTER_SYNC();
}

KERNEL(ends_too_early_buggy) {
  __shared__ int values[kThreads];
  int got;
  values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  CLUSTER_SYNC();
  LOAD_AT(got, mapped(values + threadIdx.x, rank() ^ 1)); //! mistake
  out[blockIdx.x * kThreads + threadIdx.x] = got;
}
KERNEL(ends_too_early_mended) {
  __shared__ int values[kThreads];
  int got;
  values[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  CLUSTER_SYNC();
  LOAD_AT(got, mapped(values + threadIdx.x, rank() ^ 1));
  CLUSTER_ARRIVE("");
  out[blockIdx.x * kThreads + threadIdx.x] = got;
  CLUSTER_WAIT("");
}

KERNEL(beyond_the_cluster_buggy) {
  __shared__ int value;
  int got;
  if (threadIdx.x == 0) value = in[blockIdx.x];
  CLUSTER_SYNC();
  LOAD_AT(got, mapped(&value, rank() + 1)); //! mistake
  out[blockIdx.x * kThreads + threadIdx.x] = got;
  CLUSTER_SYNC();
}
KERNEL(beyond_the_cluster_mended) {
  __shared__ int value;
  int got;
  if (threadIdx.x == 0) value = in[blockIdx.x];
  CLUSTER_SYNC();
  LOAD_AT(got, mapped(&value, (rank() + 1) % 2));
  out[blockIdx.x * kThreads + threadIdx.x] = got;
  CLUSTER_SYNC();
}

KERNEL(one_block_stays_away_buggy) { // it waits for an arrival that never comes
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 1);
  __syncthreads();
  if (rank() == 1) WAIT(full, 0);
  CLUSTER_ARRIVE("");
  CLUSTER_WAIT(""); //! mistake
  out[blockIdx.x * kThreads + threadIdx.x] = 1;
}
KERNEL(one_block_stays_away_mended) {
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 1);
  __syncthreads();
  if (threadIdx.x == 0) ARRIVE(full);
  if (rank() == 1) WAIT(full, 0);
  CLUSTER_ARRIVE("");
  CLUSTER_WAIT("");
  out[blockIdx.x * kThreads + threadIdx.x] = 1;
}

KERNEL(aligned_in_branch_buggy) { // two halves of a warp, each at a barrier of its own
  if (threadIdx.x % 32 < 16) {
    CLUSTER_ARRIVE(".aligned"); //! mistake
  } else {
    out[blockIdx.x * kThreads + threadIdx.x] = 1;
    CLUSTER_ARRIVE(".aligned"); //! mistake
  }
  CLUSTER_WAIT("");
}
KERNEL(aligned_in_branch_mended) {
  if (threadIdx.x % 32 < 16) {
    CLUSTER_ARRIVE("");
  } else {
    out[blockIdx.x * kThreads + threadIdx.x] = 1;
    CLUSTER_ARRIVE("");
  }
  CLUSTER_WAIT("");
}

KERNEL(relaxed_without_fence_buggy) { // the neighbour may come before there is a barrier
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 1);
  CLUSTER_ARRIVE(".relaxed.aligned");
  CLUSTER_WAIT(".aligned");
  if (threadIdx.x == 0) ARRIVE_AT(mapped(&full, rank() ^ 1)); //! mistake
  if (threadIdx.x == 0) WAIT(full, 0);
  CLUSTER_SYNC();
}
KERNEL(relaxed_without_fence_mended) { // as CUTLASS has it
  __shared__ uint64_t full;
  if (threadIdx.x == 0) INIT(full, 1);
  if (threadIdx.x == 0) FENCE_INIT();
  CLUSTER_ARRIVE(".relaxed.aligned");
  CLUSTER_WAIT(".aligned");
  if (threadIdx.x == 0) ARRIVE_AT(mapped(&full, rank() ^ 1));
  if (threadIdx.x == 0) WAIT(full, 0);
  CLUSTER_SYNC();
}

KERNEL(neighbours_store_unfenced_buggy) { // what the other block stored goes out by a copy
  __shared__ __align__(16) int tile[kThreads];
  CLUSTER_SYNC();
  STORE_AT(mapped(tile + threadIdx.x, rank() ^ 1), in[threadIdx.x]);
  CLUSTER_SYNC();
  if (threadIdx.x == 0) BULK_OUT(out + blockIdx.x * kThreads, tile, kBytes); //! mistake
  if (threadIdx.x == 0) WAIT_READ();
}
KERNEL(neighbours_store_unfenced_mended) {
  __shared__ __align__(16) int tile[kThreads];
  CLUSTER_SYNC();
  STORE_AT(mapped(tile + threadIdx.x, rank() ^ 1), in[threadIdx.x]);
  FENCE_PROXY("");
  CLUSTER_SYNC();
  if (threadIdx.x == 0) BULK_OUT(out + blockIdx.x * kThreads, tile, kBytes);
  if (threadIdx.x == 0) WAIT_READ();
}

// Block 0 fills a stage of block 1, which gives it back.
KERNEL(ring_of_blocks_buggy) {
  __shared__ uint64_t full, empty;
  __shared__ int stage[32];
  if (threadIdx.x == 0) INIT(full, 32);
  if (threadIdx.x == 0) INIT(empty, 32);
  CLUSTER_SYNC();
  int sum = 0;
  for (int round = 0; round < 4 && threadIdx.x < 32; ++round) {
    if (rank() == 0) {
      WAIT(empty, (round & 1) ^ 1);
      STORE_AT(mapped(stage + threadIdx.x, 1), in[round * 32 + threadIdx.x]); //! mistake
      ARRIVE_AT(mapped(&full, 1));
    } else {
      WAIT(full, round & 1);
      ARRIVE_AT(mapped(&empty, 0));
      sum += stage[31 - threadIdx.x]; //! mistake
    }
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
  CLUSTER_SYNC();
}
KERNEL(ring_of_blocks_mended) {
  __shared__ uint64_t full, empty;
  __shared__ int stage[32];
  if (threadIdx.x == 0) INIT(full, 32);
  if (threadIdx.x == 0) INIT(empty, 32);
  CLUSTER_SYNC();
  int sum = 0;
  for (int round = 0; round < 4 && threadIdx.x < 32; ++round) {
    if (rank() == 0) {
      WAIT(empty, (round & 1) ^ 1);
      STORE_AT(mapped(stage + threadIdx.x, 1), in[round * 32 + threadIdx.x]);
      ARRIVE_AT(mapped(&full, 1));
    } else {
      WAIT(full, round & 1);
      sum += stage[31 - threadIdx.x];
      ARRIVE_AT(mapped(&empty, 0));
    }
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
  CLUSTER_SYNC();
}

// A tile is sent to the other block, whose barrier is told; then it is stored to again.
#define SEND_TILE()                                                                                \
  __shared__ uint64_t full, empty;                                                                 \
  __shared__ alignas(16) int tile[kThreads], got[kThreads];                                        \
  if (threadIdx.x == 0) INIT(full, 1);                                                             \
  if (threadIdx.x == 0) INIT(empty, kThreads);                                                     \
  if (threadIdx.x == 0) FENCE_INIT();                                                              \
  tile[threadIdx.x] = in[threadIdx.x];                                                             \
  FENCE_PROXY(".shared::cta");                                                                     \
  CLUSTER_SYNC();                                                                                  \
  if (threadIdx.x == 0) EXPECT(full, kBytes);                                                      \
  if (threadIdx.x == 0)                                                                            \
  BULK_ACROSS(mapped(got, rank() ^ 1), tile, kBytes, mapped(&full, rank() ^ 1))
#define TAKE_GOT() out[blockIdx.x * kThreads + threadIdx.x] = got[threadIdx.x]

KERNEL(sent_overwritten_buggy) { // what has come here says nothing of what was sent
  SEND_TILE();
  WAIT(full, 0);
  tile[kThreads - 1 - threadIdx.x] = 0; //! mistake
  TAKE_GOT();
  CLUSTER_SYNC();
}
KERNEL(sent_overwritten_mended) {
  SEND_TILE();
  WAIT(full, 0);
  ARRIVE_AT(mapped(&empty, rank() ^ 1));
  WAIT(empty, 0);
  tile[kThreads - 1 - threadIdx.x] = 0;
  TAKE_GOT();
  CLUSTER_SYNC();
}

KERNEL(sent_refilled_buggy) { // by another copy
  SEND_TILE();
  WAIT(full, 0);
  __syncthreads();
  if (threadIdx.x == 0) EXPECT(full, kBytes);
  if (threadIdx.x == 0) BULK_IN(tile, in, kBytes, full); //! mistake
  TAKE_GOT();
  WAIT(full, 1);
  CLUSTER_SYNC();
}
KERNEL(sent_refilled_mended) {
  SEND_TILE();
  WAIT(full, 0);
  CLUSTER_SYNC();
  if (threadIdx.x == 0) EXPECT(full, kBytes);
  if (threadIdx.x == 0) BULK_IN(tile, in, kBytes, full);
  TAKE_GOT();
  WAIT(full, 1);
  CLUSTER_SYNC();
}

KERNEL(sent_stored_from_there_buggy) { // by the block that gets it, before it has it
  SEND_TILE();                         //! mistake
  STORE_AT(mapped(tile + threadIdx.x, rank() ^ 1), 0); //! mistake
  WAIT(full, 0);
  TAKE_GOT();
  CLUSTER_SYNC();
}
KERNEL(sent_stored_from_there_mended) {
  SEND_TILE();
  WAIT(full, 0);
  STORE_AT(mapped(tile + threadIdx.x, rank() ^ 1), 0);
  TAKE_GOT();
  CLUSTER_SYNC();
}

KERNEL(sender_ends_buggy) {
  SEND_TILE(); //! mistake
  WAIT(full, 0);
  TAKE_GOT();
}
KERNEL(sender_ends_mended) {
  SEND_TILE();
  WAIT(full, 0);
  TAKE_GOT();
  ARRIVE_AT(mapped(&empty, rank() ^ 1));
  WAIT(empty, 0);
}

KERNEL(box_to_other_block_buggy) { // the tile there, the barrier here
  __shared__ uint64_t full;
  __shared__ __align__(1024) int tile[256];
  if (threadIdx.x == 0) INIT(full, 1);
  if (threadIdx.x == 0) FENCE_INIT();
  CLUSTER_SYNC();
  if (threadIdx.x == 0) EXPECT(full, kBox);
  if (threadIdx.x == 0) BOX_IN(mapped(tile, rank() ^ 1), 0, 0, mapped(&full, rank())); //! mistake
  WAIT(full, 0);
  out[blockIdx.x * kThreads + threadIdx.x] = tile[threadIdx.x];
  CLUSTER_SYNC();
}
KERNEL(box_to_other_block_mended) {
  __shared__ uint64_t full;
  __shared__ __align__(1024) int tile[256];
  if (threadIdx.x == 0) INIT(full, 1);
  if (threadIdx.x == 0) FENCE_INIT();
  CLUSTER_SYNC();
  if (threadIdx.x == 0) EXPECT(full, kBox);
  if (threadIdx.x == 0) BOX_IN(mapped(tile, rank() ^ 1), 0, 0, mapped(&full, rank() ^ 1));
  WAIT(full, 0);
  out[blockIdx.x * kThreads + threadIdx.x] = tile[threadIdx.x];
  CLUSTER_SYNC();
}

KERNEL(store_tells_other_block_buggy) {
  __shared__ uint64_t full;
  __shared__ int got[kThreads];
  if (threadIdx.x == 0) INIT(full, 1);
  if (threadIdx.x == 0) FENCE_INIT();
  CLUSTER_SYNC();
  if (threadIdx.x == 0) ARRIVE(full);
  const unsigned there = mapped(got + threadIdx.x, rank() ^ 1), here = mapped(&full, rank());
  STORE_ASYNC(there, threadIdx.x, here); //! mistake
  CLUSTER_SYNC();
}
KERNEL(store_tells_other_block_mended) {
  __shared__ uint64_t full;
  __shared__ int got[kThreads];
  if (threadIdx.x == 0) INIT(full, 1);
  if (threadIdx.x == 0) FENCE_INIT();
  CLUSTER_SYNC();
  if (threadIdx.x == 0) EXPECT(full, kBytes);
  STORE_ASYNC(mapped(got + threadIdx.x, rank() ^ 1), threadIdx.x, mapped(&full, rank() ^ 1));
  WAIT(full, 0);
  out[blockIdx.x * kThreads + threadIdx.x] = got[threadIdx.x];
  CLUSTER_SYNC();
}

// --- Descriptors of a product: A and B are the box that a map brought, 8 rows of 128 bytes, in
// each group of eight rows the same one

#define MULTIPLY(a, b)                                                                             \
  float d[4] = {0, 0, 0, 0};                                                                       \
  asm volatile("wgmma.fence.sync.aligned;\n"                                                       \
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, " \
               "1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"   \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                    \
               : "l"(a), "l"(b)                                                                    \
               : "memory");                                                                        \
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3] > 0
#define PRODUCT(bits)                                                                              \
  __shared__ uint64_t full;                                                                        \
  __shared__ __align__(1024) int tile[2][256];                                                     \
  if (threadIdx.x == 0) INIT(full, 1);                                                             \
  if (threadIdx.x == 0) FENCE_INIT();                                                              \
  __syncthreads();                                                                                 \
  if (threadIdx.x == 0) EXPECT(full, 2 * kBox);                                                    \
  if (threadIdx.x == 0) BOX_IN(address(tile[0]), 0, 0, address(&full));                            \
  if (threadIdx.x == 0) BOX_IN(address(tile[1]), 0, 8, address(&full));                            \
  WAIT(full, 0);                                                                                   \
  MULTIPLY(uint64_t{1} << 62 | address(tile[0]) >> 4, bits)
// From tiles that threads have stored, B behind the first 16 KiB.
#define STORED_PRODUCT(bits)                                                                       \
  __shared__ __align__(1024) int tiles[8192];                                                      \
  const int* b = tiles + 4352;                                                                     \
  for (int i = threadIdx.x; i < 8192; i += kThreads) tiles[i] = 0;                                 \
  FENCE_PROXY(".shared::cta");                                                                     \
  __syncthreads();                                                                                 \
  MULTIPLY(uint64_t{1} << 62 | address(tiles) >> 4, bits)

KERNEL(descriptor_base_offset_buggy) {
  PRODUCT(uint64_t{1} << 62 | uint64_t{3} << 49 | address(tile[1]) >> 4); //! mistake
}
KERNEL(descriptor_base_offset_mended) {
  PRODUCT(uint64_t{1} << 62 | address(tile[1]) >> 4);
}
KERNEL(descriptor_swizzle_buggy) {
  PRODUCT(uint64_t{2} << 62 | address(tile[1]) >> 4); //! mistake
}
KERNEL(descriptor_swizzle_mended) {
  PRODUCT(uint64_t{1} << 62 | (address(tile[1]) + 32) >> 4);
}

KERNEL(undivided_inside_buggy) {                  // the address as it is leads to some other place
  STORED_PRODUCT(uint64_t{1} << 62 | address(b)); //! mistake
}
KERNEL(undivided_inside_mended) {
  STORED_PRODUCT(uint64_t{1} << 62 | address(b) >> 4);
}
