// Products of warpgroups (wgmma): kernels in pairs, one with a mistake and one without, and honest
// ways to write them. products_test.cpp runs all; the line of a mistake is marked, "//! mistake".
// Each multiplies 64 rows of A by 64 of B, both 64 bf16 long, of `in`, 16 KiB already in the places
// that a swizzle of 128 bytes has; warps behind the fourth only bring data. Long, because pairs are
// read best in one piece.
#include <cstdint>

#define KERNEL(name) extern "C" __global__ void name(float* out, const uint4* in, int rounds)

constexpr int kTile = 64 * 128;     // bytes of each operand
constexpr int kChunks = kTile / 16; // of 16 bytes
constexpr int kStages = 3;

struct Stage {
  uint4 a[kChunks], b[kChunks];
};

__device__ uint32_t address(const void* shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}
// Swizzle of 128 bytes, groups of eight rows 1,024 bytes apart.
__device__ uint64_t descriptor(const void* tile) {
  return (address(tile) & 0x3ffff) >> 4 | uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 |
         uint64_t{1} << 62;
}

// Macros, so that each is on the line of its kernel.
#define FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT(LEFT) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory")
#define FENCE_PROXY() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

#define FOUR(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
// 64 x 64, one step of K.
#define MULTIPLY(d, a, b)                                                                          \
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "                             \
               "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "           \
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, " \
               "%32, %33, 1, 1, 1, 0, 0;"                                                          \
               : FOUR(d, 0), FOUR(d, 4), FOUR(d, 8), FOUR(d, 12), FOUR(d, 16), FOUR(d, 20),        \
                 FOUR(d, 24), FOUR(d, 28)                                                          \
               : "l"(a), "l"(b)                                                                    \
               : "memory")
// 64 x 8, one step of K, A in registers.
#define MULTIPLY_OWN(d, a, b)                                                                      \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, "            \
               "{%4, %5, %6, %7}, %8, 1, 1, 1, 0;"                                                 \
               : FOUR(d, 0)                                                                        \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)                                \
               : "memory")
#define MULTIPLY_ALL(d, a, b)                                                                      \
  for (int k = 0; k < 4; ++k) MULTIPLY(d, descriptor(a) + 2 * k, descriptor(b) + 2 * k)

template <int kCount>
__device__ void clear(float (&d)[kCount]) {
  for (int i = 0; i < kCount; ++i) d[i] = 0;
}
template <int kCount>
__device__ void store(float* out, const float (&d)[kCount]) {
  for (int i = 0; i < kCount; ++i) out[i * 128 + threadIdx.x % 128] = d[i];
}
__device__ void fill(Stage& stage, const uint4* in) {
  for (int i = threadIdx.x; i < 2 * kChunks; i += blockDim.x)
    (i < kChunks ? stage.a : stage.b)[i % kChunks] = in[i];
}

// --- Barriers in memory, and copies that tell them

__device__ void initialise(uint64_t& barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(&barrier)), "r"(count)
               : "memory");
}
__device__ void arrive(uint64_t& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&barrier)) : "memory");
}
__device__ void wait_for(uint64_t& barrier, int parity) {
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra again;\n}" ::"r"(address(&barrier)),
               "r"(parity)
               : "memory");
}
#define BRING(stage, in, barrier)                                                                  \
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&barrier)),  \
               "r"(2 * kTile)                                                                      \
               : "memory");                                                                        \
  asm volatile(                                                                                    \
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "         \
      "[%3];" ::"r"(address(stage.a)),                                                             \
      "l"(in), "r"(2 * kTile), "r"(address(&barrier))                                              \
      : "memory")

// --- Once, from tiles that threads store

KERNEL(once_mended) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  FENCE();
  MULTIPLY_ALL(d, stage.a, stage.b);
  COMMIT();
  WAIT(0);
  store(out, d);
}
KERNEL(fence_behind_the_barrier_mended) { // the reader's fence is as good
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  __syncthreads();
  FENCE_PROXY();
  FENCE();
  MULTIPLY_ALL(d, stage.a, stage.b);
  COMMIT();
  WAIT(0);
  store(out, d);
}
KERNEL(no_proxy_fence_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  __syncthreads();
  FENCE();
  MULTIPLY_ALL(d, stage.a, stage.b); //! mistake
  COMMIT();
  WAIT(0);
  store(out, d);
}
KERNEL(no_barrier_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  FENCE();
  MULTIPLY_ALL(d, stage.a, stage.b); //! mistake
  COMMIT();
  WAIT(0);
  store(out, d);
}
KERNEL(no_fence_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  for (int i = 0; i < 32; ++i) d[i] = float(threadIdx.x) * i;
  MULTIPLY(d, descriptor(stage.a), descriptor(stage.b)); //! mistake
  COMMIT();
  WAIT(0);
  store(out, d);
}
KERNEL(no_wait_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  FENCE();
  MULTIPLY_ALL(d, stage.a, stage.b);
  COMMIT();
  for (int i = 0; i < 32; ++i) out[i * 128 + threadIdx.x] = d[i]; //! mistake
  WAIT(0);
}
KERNEL(no_commit_buggy) { // what is in no group, no wait is for
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  FENCE();
  MULTIPLY_ALL(d, stage.a, stage.b);
  WAIT(0);
  for (int i = 0; i < 32; ++i) out[i * 128 + threadIdx.x] = d[i]; //! mistake
}
KERNEL(row_crossed_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  FENCE();
  MULTIPLY(d, descriptor(stage.a) + 7, descriptor(stage.b) + 6); //! mistake
  COMMIT();
  WAIT(0);
  store(out, d);
}
KERNEL(past_the_end_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  FENCE();
  MULTIPLY(d, descriptor(stage.a), descriptor(stage.b) + 64); //! mistake
  COMMIT();
  WAIT(0);
  store(out, d);
}
KERNEL(undivided_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  FENCE();
  const uint64_t rest = uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
  MULTIPLY(d, descriptor(stage.a), address(stage.b) | rest); //! mistake
  COMMIT();
  WAIT(0);
  store(out, d);
}
KERNEL(three_warps_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  if (threadIdx.x < 96) {
    FENCE();
    MULTIPLY_ALL(d, stage.a, stage.b);
    COMMIT();
    WAIT(0); //! mistake
  }
  store(out, d);
}
KERNEL(other_descriptors_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  FENCE();
  MULTIPLY(d, descriptor(stage.a) + threadIdx.x / 32 * 2, descriptor(stage.b)); //! mistake
  COMMIT();
  WAIT(0);
  store(out, d);
}

// --- Two accumulators in turn: one is used while the other is under way

KERNEL(in_turn_mended) {
  __shared__ __align__(1024) Stage stage;
  float first[32], second[32], sum = 0;
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    clear(first);
    clear(second);
    FENCE();
    MULTIPLY_ALL(first, stage.a, stage.b);
    COMMIT();
    MULTIPLY_ALL(second, stage.b, stage.a);
    COMMIT();
    WAIT(1);
    for (int i = 0; i < 32; ++i) sum += first[i];
    WAIT(0);
    for (int i = 0; i < 32; ++i) sum -= second[i];
  }
  out[threadIdx.x] = sum;
}
KERNEL(in_turn_buggy) {
  __shared__ __align__(1024) Stage stage;
  float first[32], second[32], sum = 0;
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    clear(first);
    clear(second);
    FENCE();
    MULTIPLY_ALL(first, stage.a, stage.b);
    COMMIT();
    MULTIPLY_ALL(second, stage.b, stage.a);
    COMMIT();
    WAIT(1);
    for (int i = 0; i < 32; ++i) sum += first[i];
    for (int i = 0; i < 32; ++i) sum -= second[i]; //! mistake
    WAIT(0);
  }
  out[threadIdx.x] = sum;
}

// --- One buffer, filled again and again by those who multiply

KERNEL(again_mended) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  for (int round = 0; round < rounds; ++round) {
    fill(stage, in);
    FENCE_PROXY();
    __syncthreads();
    FENCE();
    MULTIPLY_ALL(d, stage.a, stage.b);
    COMMIT();
    WAIT(0);
    __syncthreads();
  }
  store(out, d);
}
KERNEL(again_before_wait_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[32];
  clear(d);
  for (int round = 0; round < rounds; ++round) {
    for (int i = threadIdx.x; i < 2 * kChunks; i += 128)
      (i < kChunks ? stage.a : stage.b)[i % kChunks] = in[i]; //! mistake
    FENCE_PROXY();
    __syncthreads();
    FENCE();
    MULTIPLY_ALL(d, stage.a, stage.b);
    COMMIT();
    __syncthreads();
  }
  WAIT(0);
  store(out, d);
}

// --- Warp 4 stores what four warps multiply; named barriers between them

#define NAMED(WHAT, NUMBER) asm volatile("bar." WHAT " %0, 160;" ::"n"(NUMBER) : "memory")

KERNEL(ring_of_one_mended) {
  extern __shared__ __align__(1024) Stage stages[];
  float d[32];
  clear(d);
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x >= 128) {
      for (int i = threadIdx.x - 128; i < 2 * kChunks; i += 32) stages[0].a[i] = in[i];
      FENCE_PROXY();
      NAMED("arrive", 1);
      NAMED("sync", 2);
    } else {
      NAMED("sync", 1);
      FENCE();
      MULTIPLY_ALL(d, stages[0].a, stages[0].b);
      COMMIT();
      WAIT(0);
      NAMED("arrive", 2);
    }
  }
  if (threadIdx.x < 128) store(out, d);
}
KERNEL(ring_of_one_buggy) { // told too early
  extern __shared__ __align__(1024) Stage stages[];
  float d[32];
  clear(d);
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x >= 128) {
      for (int i = threadIdx.x - 128; i < 2 * kChunks; i += 32) stages[0].a[i] = in[i]; //! mistake
      FENCE_PROXY();
      NAMED("arrive", 1);
      NAMED("sync", 2);
    } else {
      NAMED("sync", 1);
      FENCE();
      MULTIPLY_ALL(d, stages[0].a, stages[0].b);
      COMMIT();
      NAMED("arrive", 2);
      WAIT(0);
    }
  }
  if (threadIdx.x < 128) store(out, d);
}

// --- Each warp stores the rows of A that it alone multiplies

KERNEL(own_rows_mended) {
  __shared__ __align__(1024) Stage stage;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float d[32];
  clear(d);
  for (int i = threadIdx.x; i < kChunks; i += 128) stage.b[i] = in[kChunks + i];
  FENCE_PROXY();
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    for (int i = lane; i < kChunks / 4; i += 32)
      stage.a[warp * kChunks / 4 + i] = in[warp * kChunks / 4 + i];
    FENCE_PROXY();
    __syncwarp();
    FENCE();
    MULTIPLY_ALL(d, stage.a, stage.b);
    COMMIT();
    WAIT(0);
  }
  store(out, d);
}
KERNEL(own_rows_buggy) { // those of the next warp
  __shared__ __align__(1024) Stage stage;
  const int warp = (threadIdx.x / 32 + 1) % 4, lane = threadIdx.x % 32;
  float d[32];
  clear(d);
  for (int i = threadIdx.x; i < kChunks; i += 128) stage.b[i] = in[kChunks + i];
  FENCE_PROXY();
  __syncthreads();
  for (int i = lane; i < kChunks / 4; i += 32)
    stage.a[warp * kChunks / 4 + i] = in[warp * kChunks / 4 + i];
  FENCE_PROXY();
  __syncwarp();
  FENCE();
  MULTIPLY_ALL(d, stage.a, stage.b); //! mistake
  COMMIT();
  WAIT(0);
  store(out, d);
}

// --- A in registers

KERNEL(registers_mended) {
  __shared__ __align__(1024) Stage stage;
  float d[4];
  uint32_t a[4];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + round].x + i;
    FENCE();
    MULTIPLY_OWN(d, a, descriptor(stage.b));
    COMMIT();
    WAIT(0);
  }
  store(out, d);
}
KERNEL(registers_buggy) {
  __shared__ __align__(1024) Stage stage;
  float d[4];
  clear(d);
  fill(stage, in);
  FENCE_PROXY();
  __syncthreads();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    uint32_t a[4];
    for (int i = 0; i < 4; ++i) a[i] = in[threadIdx.x + round].x + i; //! mistake
    FENCE();
    MULTIPLY_OWN(d, a, descriptor(stage.b));
    COMMIT();
    WAIT(1);
  }
  WAIT(0);
  store(out, d);
}

// --- A ring of stages: warp 4 brings, four warps multiply, one thread of them releases,
// or one of each warp

#define RING(RELEASE_EARLY, LEFT, EVERY)                                                           \
  extern __shared__ __align__(1024) Stage stages[];                                                \
  __shared__ uint64_t full[kStages], empty[kStages];                                               \
  if (threadIdx.x == 0)                                                                            \
    for (int s = 0; s < kStages; ++s) {                                                            \
      initialise(full[s], 1);                                                                      \
      initialise(empty[s], 128 / EVERY);                                                           \
    }                                                                                              \
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");                               \
  __syncthreads();                                                                                 \
  if (threadIdx.x >= 128) {                                                                        \
    if (threadIdx.x == 128)                                                                        \
      for (int round = 0; round < rounds; ++round) {                                               \
        const int s = round % kStages;                                                             \
        wait_for(empty[s], (round / kStages & 1) ^ 1);                                             \
        BRING(stages[s], in, full[s]);                                                             \
      }                                                                                            \
    return;                                                                                        \
  }                                                                                                \
  float d[32];                                                                                     \
  clear(d);                                                                                        \
  for (int round = 0; round < rounds; ++round) {                                                   \
    const int s = round % kStages;                                                                 \
    wait_for(full[s], round / kStages & 1);                                                        \
    FENCE();                                                                                       \
    MULTIPLY_ALL(d, stages[s].a, stages[s].b);                                                     \
    COMMIT();                                                                                      \
    WAIT(LEFT);                                                                                    \
    const int done = round - (RELEASE_EARLY ? 0 : LEFT);                                           \
    if (threadIdx.x % EVERY == 0 && done >= 0) arrive(empty[done % kStages]);                      \
  }                                                                                                \
  WAIT(0);                                                                                         \
  store(out, d)

KERNEL(ring_mended) {
  RING(false, 1, 128);
}
KERNEL(ring_one_at_a_time_mended) {
  RING(false, 0, 32);
}
KERNEL(ring_buggy) {
  RING(true, 1, 32); //! mistake
}
