// One block of 32 threads; out[i] is in[i ^ 1], or says on the line what else it is.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

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
// Sums of pairs in shared memory, beside one shuffle: out[i] is twice in[i ^ 1].
extern "C" __global__ void words_beside_shuffle(float* out, const float* in) {
  __shared__ float tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1] + __shfl_xor_sync(kAll, in[threadIdx.x], 1);
}
// Two warps, of which each moves 16 numbers.
extern "C" __global__ void half_a_warp_each(float* out, const float* in) {
  const int i = threadIdx.x / 32 * 16 + threadIdx.x % 32;
  if (threadIdx.x % 32 < 16) out[i] = in[i ^ 1];
}
// A sum of 32 in five rounds, which one lane stores, and all read.
extern "C" __global__ void word_after_shuffles(float* out, const float* in) {
  __shared__ float sum;
  float mine = in[threadIdx.x];
  for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_down_sync(kAll, mine, apart);
  if (threadIdx.x == 0) sum = mine;
  __syncthreads();
  out[threadIdx.x] = sum;
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
__constant__ float constant_table[32];
__device__ float table[32];
extern "C" __global__ void by_tables(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x] + constant_table[threadIdx.x / 2] * table[threadIdx.x % 8];
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
extern "C" __global__ void by_copy_of_another(float* out, const float* in) { // of two warps
  __shared__ float tile[32];
  if (threadIdx.x < 32) __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (threadIdx.x >= 32) out[threadIdx.x - 32] = tile[threadIdx.x - 32];
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

// ---- tiles: out[i] is a number of the tile

extern "C" __global__ void by_wmma(float* out, const float* in) {
  using namespace nvcuda::wmma;
  __shared__ alignas(32) float words[256], sums[256];
  for (int i = threadIdx.x; i < 256; i += 32) words[i] = in[i % 32];
  __syncwarp();
  const auto* tile = reinterpret_cast<const half*>(words);
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, row_major> b;
  fragment<accumulator, 16, 16, 16, float> sum;
  load_matrix_sync(a, tile, 16);
  load_matrix_sync(b, tile + 256, 16);
  fill_fragment(sum, 0.f);
  mma_sync(sum, a, b, sum);
  store_matrix_sync(sums, sum, 16, mem_row_major);
  __syncwarp();
  out[threadIdx.x] = sums[threadIdx.x];
}
// Rows of eight halves to multiply by themselves, all operands by ldmatrix; or but one of them.
template <bool kBoth>
__device__ void multiply_rows(float* out, const float* in) {
  __shared__ alignas(16) float words[64];
  const unsigned t = threadIdx.x;
  words[t] = words[t + 32] = in[t];
  __syncwarp();
  unsigned p[4], q[2];
  const unsigned at = __cvta_generic_to_shared(words + t % 16 * 4);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(p[0]), "=r"(p[1]), "=r"(p[2]), "=r"(p[3])
               : "r"(at));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
               : "=r"(q[0]), "=r"(q[1])
               : "r"(at));
  if (!kBoth) q[1] = __float_as_uint(words[32 + t]);
  float sum[4] = {};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]), "r"(q[1]));
  out[t] = sum[0] + sum[1] + sum[2] + sum[3];
}
extern "C" __global__ void by_rows(float* out, const float* in) {
  multiply_rows<true>(out, in);
}
extern "C" __global__ void half_by_rows(float* out, const float* in) {
  multiply_rows<false>(out, in);
}
// Loaded from global memory and stored as it is: no product.
extern "C" __global__ void by_wmma_alone(float* out, const float* in) {
  using namespace nvcuda::wmma;
  __shared__ alignas(32) float sums[256];
  fragment<accumulator, 16, 16, 16, float> sum;
  load_matrix_sync(sum, in, 0, mem_row_major); // rows of 16, all at the same place
  store_matrix_sync(sums, sum, 16, mem_row_major);
  __syncwarp();
  out[threadIdx.x] = sums[threadIdx.x];
}

// ---- two blocks of a cluster, each with 16 of the numbers

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2) by_own_tile(float* out, const float* in) {
  __shared__ float tile[16];
  const unsigned i = blockIdx.x * 16 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cg::this_cluster().sync();
  out[i] = tile[threadIdx.x ^ 1];
}
extern "C" __global__ void __cluster_dims__(2) by_other_tile(float* out, const float* in) {
  __shared__ float tile[16];
  const auto cluster = cg::this_cluster();
  const unsigned i = blockIdx.x * 16 + threadIdx.x;
  tile[threadIdx.x] = in[i ^ 16];
  cluster.sync();
  out[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x ^ 1];
  cluster.sync();
}
// Through registers alone within a block, and into the other's memory.
extern "C" __global__ void __cluster_dims__(2) into_other_tile(float* out, const float* in) {
  __shared__ float tile[16];
  const auto cluster = cg::this_cluster();
  const unsigned i = blockIdx.x * 16 + threadIdx.x;
  cluster.sync();
  cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x] =
      __shfl_xor_sync(0xffff, in[i ^ 16], 1);
  cluster.sync();
  out[i] = tile[threadIdx.x];
}
// The first block writes, and what the second one reads has no other way: what is in the first
// one's tile has nothing to do with it.
extern "C" __global__ void __cluster_dims__(2) by_one_of_two(float* out, const float* in) {
  __shared__ float tile[16];
  const auto cluster = cg::this_cluster();
  const unsigned i = blockIdx.x * 16 + threadIdx.x;
  tile[threadIdx.x] = cluster.block_rank() == 0 ? in[i] : 1.f;
  cluster.sync();
  out[i] = cluster.block_rank() == 0 ? tile[threadIdx.x ^ 1] : tile[threadIdx.x];
}
extern "C" __global__ void __cluster_dims__(2)
    by_remote_atomics(unsigned* out, const unsigned* in) {
  __shared__ unsigned tile[16];
  const auto cluster = cg::this_cluster();
  const unsigned i = blockIdx.x * 16 + threadIdx.x;
  tile[threadIdx.x] = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(tile, cluster.block_rank() ^ 1) + threadIdx.x, in[i ^ 17]);
  cluster.sync();
  out[i] = tile[threadIdx.x];
}
// Each thread sends its number to the other block, whose barrier is told of the 64 bytes.
extern "C" __global__ void __cluster_dims__(2) by_stores_async(unsigned* out, const unsigned* in) {
  __shared__ unsigned tile[16];
  __shared__ unsigned long long barrier;
  const auto cluster = cg::this_cluster();
  const auto at = [](const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
  const unsigned i = blockIdx.x * 16 + threadIdx.x, other = cluster.block_rank() ^ 1;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&barrier)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64;" ::"r"(at(&barrier))
                 : "memory");
  }
  cluster.sync();
  asm volatile(
      "{\n.reg .u32 to, told;\nmapa.shared::cluster.u32 to, %0, %2;\n"
      "mapa.shared::cluster.u32 told, %1, %2;\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [to], %3, [told];\n}" ::"r"(
          at(tile + threadIdx.x)),
      "r"(at(&barrier)), "r"(other), "r"(in[i ^ 17])
      : "memory");
  asm volatile("{\n.reg .pred p;\nagain: "
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra "
               "again;\n}" ::"r"(at(&barrier))
               : "memory");
  out[i] = tile[threadIdx.x];
  cluster.sync();
}
// From one block's tile to the other's.
extern "C" __global__ void __cluster_dims__(2) by_copies_across(float* out, const float* in) {
  __shared__ alignas(128) float from[16], to[16];
  __shared__ unsigned long long barrier;
  const auto cluster = cg::this_cluster();
  const auto at = [](const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
  const unsigned i = blockIdx.x * 16 + threadIdx.x, other = cluster.block_rank() ^ 1;
  from[threadIdx.x] = in[i ^ 17];
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&barrier)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64;" ::"r"(at(&barrier))
                 : "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  cluster.sync();
  if (threadIdx.x == 0)
    asm volatile(
        "{\n.reg .u32 to, told;\nmapa.shared::cluster.u32 to, %0, %3;\n"
        "mapa.shared::cluster.u32 told, %1, %3;\n"
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [%2], 64, "
        "[told];\n}" ::"r"(at(to)),
        "r"(at(&barrier)), "r"(at(from)), "r"(other)
        : "memory");
  asm volatile("{\n.reg .pred p;\nagain: "
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n@!p bra "
               "again;\n}" ::"r"(at(&barrier))
               : "memory");
  out[i] = to[threadIdx.x];
  cluster.sync();
}
// Two copies, each waited for before it is read, or the second under way while the first is read.
__device__ void copy_one(unsigned* to, const unsigned* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\ncp.async.commit_group;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}
extern "C" __global__ void copies_in_turn(unsigned* out, const unsigned* in) {
  __shared__ volatile unsigned tile[2][32];
  const unsigned i = threadIdx.x;
  copy_one(const_cast<unsigned*>(&tile[0][i]), in + i);
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  const unsigned first = tile[0][i];
  copy_one(const_cast<unsigned*>(&tile[1][i]), in + i);
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[i] = first + tile[1][i];
}
extern "C" __global__ void copies_ahead(unsigned* out, const unsigned* in) {
  __shared__ volatile unsigned tile[2][32];
  const unsigned i = threadIdx.x;
  copy_one(const_cast<unsigned*>(&tile[0][i]), in + i);
  copy_one(const_cast<unsigned*>(&tile[1][i]), in + i);
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  const unsigned first = tile[0][i];
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  out[i] = first + tile[1][i];
}
// Handed over to oneself, and by the first lane to all.
extern "C" __global__ void to_itself(unsigned* out, const unsigned* in) {
  const unsigned i = threadIdx.x;
  out[i] = __shfl_sync(kAll, in[i], i);
}
extern "C" __global__ void to_first(unsigned* out, const unsigned* in) {
  const unsigned i = threadIdx.x;
  out[i] = __shfl_sync(kAll, in[i], 0);
}
// Beside one's own number, that of a neighbour, times `weight` or those of its bits.
extern "C" __global__ void zero_times_shuffled(float* out, const float* in, float weight) {
  const unsigned i = threadIdx.x;
  out[i] = in[i] + weight * __shfl_xor_sync(kAll, in[i], 1);
}
extern "C" __global__ void none_of_shuffled(unsigned* out, const unsigned* in, unsigned bits) {
  const unsigned i = threadIdx.x;
  out[i] = in[i] | (__shfl_xor_sync(kAll, in[i], 1) & bits);
}

extern "C" __global__ void first_half_meets(float* out, const float* in) { // of two warps
  __shared__ float tile[32];
  if (threadIdx.x >= 32) return;
  tile[threadIdx.x] = in[threadIdx.x];
  asm volatile("bar.sync 1, 32;" ::: "memory");
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
