// One block of 32 threads; out[i] is in[i ^ 1], or says on the line what else it is.
#include <cuda_pipeline.h>

constexpr unsigned kAll = 0xffffffff;

extern "C" __global__ void by_itself(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x ^ 1];
}
extern "C" __global__ void by_tile(float* out, const float* in) {
  __shared__ float tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
extern "C" __global__ void by_shuffle(float* out, const float* in) {
  out[threadIdx.x] = __shfl_xor_sync(kAll, in[threadIdx.x], 1);
}
extern "C" __global__ void by_copy(float* out, const float* in) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
extern "C" __global__ void by_votes(float* out, const float* in) {
  const unsigned mine = __float_as_uint(in[threadIdx.x]);
  unsigned other = 0;
  for (int bit = 0; bit < 32; ++bit)
    other |= (__ballot_sync(kAll, mine >> bit & 1) >> (threadIdx.x ^ 1) & 1) << bit;
  out[threadIdx.x] = __uint_as_float(other);
}
// Whoever has the bit branches, and what is written behind it depends on the vote.
extern "C" __global__ void by_branches(float* out, const float* in) {
  const unsigned mine = __float_as_uint(in[threadIdx.x]);
  unsigned other = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const unsigned ballot = __ballot_sync(kAll, mine >> bit & 1);
    asm volatile(
        "{\n .reg .pred p;\n setp.eq.u32 p, %1, 0;\n @p bra past;\n or.b32 %0, %0, %2;\npast:\n}"
        : "+r"(other)
        : "r"(ballot >> (threadIdx.x ^ 1) & 1), "r"(1u << bit));
  }
  out[threadIdx.x] = __uint_as_float(other);
}
// The votes are looked up in a table, which no input has anything to do with.
extern "C" __global__ void by_table(float* out, const float* in) {
  __shared__ volatile unsigned table[2];
  table[threadIdx.x % 2] = threadIdx.x % 2;
  __syncthreads();
  const unsigned mine = __float_as_uint(in[threadIdx.x]);
  unsigned other = 0;
  for (int bit = 0; bit < 32; ++bit)
    other |= table[__ballot_sync(kAll, mine >> bit & 1) >> (threadIdx.x ^ 1) & 1] << bit;
  out[threadIdx.x] = __uint_as_float(other);
}
extern "C" __global__ void by_reduction(unsigned* out, const unsigned* in) { // the sum of all
  out[threadIdx.x] = __reduce_add_sync(kAll, in[threadIdx.x]);
}
extern "C" __global__ void by_global(float* out, const float* in, float* scratch) {
  scratch[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = static_cast<volatile float*>(scratch)[threadIdx.x ^ 1];
}
extern "C" __global__ void by_atomics(unsigned* out, const unsigned* in) {
  __shared__ unsigned tile[32];
  atomicExch(tile + threadIdx.x, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = atomicAdd(tile + (threadIdx.x ^ 1), 0);
}
// Where to read comes by a shuffle, and from shared memory: no data does.
extern "C" __global__ void index_by_shuffle(float* out, const float* in) {
  __shared__ volatile int places[32];
  places[threadIdx.x] = __shfl_xor_sync(kAll, threadIdx.x, 1);
  __syncthreads();
  out[threadIdx.x] = in[places[threadIdx.x]];
}
// Even lanes keep what they have: the others' is shuffled.
extern "C" __global__ void half_by_shuffle(float* out, const float* in) {
  const float mine = in[threadIdx.x], other = __shfl_xor_sync(kAll, mine, 1);
  out[threadIdx.x] = threadIdx.x % 2 ? other : mine;
}
__device__ __noinline__ float twice(float x) {
  return 2 * x;
}
extern "C" __global__ void by_call(float* out, const float* in) { // twice in[i ^ 1]
  __shared__ float tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = twice(tile[threadIdx.x ^ 1]);
}
// Through the thread's own memory, at an index that the compiler cannot know.
extern "C" __global__ void by_local(float* out, const float* in, int at) {
  volatile float mine[8];
  mine[at] = __shfl_xor_sync(kAll, in[threadIdx.x], 1);
  out[threadIdx.x] = mine[at];
}
extern "C" __global__ void constants(float* out, const float*) {
  out[threadIdx.x] = threadIdx.x;
}
// A wide sum: the carry of the lower half belongs to the upper one.
extern "C" __global__ void by_carry(unsigned* out, const unsigned* in) {
  const unsigned other = __shfl_xor_sync(kAll, in[threadIdx.x], 1);
  unsigned high;
  asm("{\n .reg .u32 low;\n add.cc.u32 low, %1, 0xffffffff;\n addc.u32 %0, 0, 0;\n}"
      : "=r"(high)
      : "r"(other));
  out[threadIdx.x] = high;
}
extern "C" __global__ void by_second_tile(float* out, const float* in) {
  __shared__ float first[4096], second[32];
  first[threadIdx.x] = 1;
  second[threadIdx.x] = in[threadIdx.x ^ 1];
  __syncthreads();
  out[threadIdx.x] = second[threadIdx.x] * first[threadIdx.x];
}
extern "C" __global__ void by_bulk_copies(float* out, const float* in) { // in, and out again
  __shared__ alignas(128) float tile[32];
  __shared__ unsigned long long barrier;
  const auto at = [](const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&barrier)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(at(&barrier))
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "128, [%2];" ::"r"(at(tile)),
                 "l"(in), "r"(at(&barrier))
                 : "memory");
  }
  __syncthreads();
  asm volatile("{\n.reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@!p bra "
               "again;\n}" ::"r"(at(&barrier))
               : "memory");
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out),
                 "r"(at(tile))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
}
