// honest: the last barrier is two halves, and shares are written between them
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kBlocks = 8, kThreads = 256;

__device__ float of_block(float own, bool is_sum) {
  __shared__ float words[kThreads / 32];
  for (int by = 16; by > 0; by /= 2) {
    const float other = __shfl_xor_sync(~0u, own, by);
    own = is_sum ? own + other : fmaxf(own, other);
  }
  __syncthreads();  // an earlier call has been read
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = own;
  __syncthreads();
  own = words[0];
  for (int w = 1; w < kThreads / 32; ++w)
    own = is_sum ? own + words[w] : fmaxf(own, words[w]);
  return own;
}

// Two reductions over what is kept: nothing needs to be online.
__global__ void __cluster_dims__(kBlocks)
    share_rows(float* out, const float* in, int cols, int size) {
  extern __shared__ float kept[];
  __shared__ float most, sum;
  const auto cluster = cg::this_cluster();
  const int first = cluster.block_rank() * size, t = threadIdx.x;
  const int count = max(0, min(size, cols - first));
  const auto at = static_cast<long long>(blockIdx.x / kBlocks) * cols + first;
  float largest = -INFINITY;
  for (int c = t; c < count; c += kThreads)
    largest = fmaxf(largest, kept[c] = in[at + c]);
  largest = of_block(largest, false);
  if (t == 0) most = largest;
  cluster.sync();
  for (int r = 0; r < kBlocks; ++r)
    largest = fmaxf(largest, *cluster.map_shared_rank(&most, r));
  float powers = 0;
  for (int c = t; c < count; c += kThreads)
    powers += kept[c] = __expf(kept[c] - largest);
  powers = of_block(powers, true);
  if (t == 0) sum = powers;
  cluster.sync();
  powers = 0;
  for (int r = 0; r < kBlocks; ++r) powers += *cluster.map_shared_rank(&sum, r);
  auto token = cluster.barrier_arrive();
  for (int c = t; c < count; c += kThreads) out[at + c] = kept[c] / powers;
  cluster.barrier_wait(std::move(token));
}

void softmax(float* out, const float* in, int rows, int cols) {
  if (rows == 0) return;
  const int size = (cols + kBlocks - 1) / kBlocks, bytes = size * sizeof(float);
  cudaFuncSetAttribute(share_rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  share_rows<<<rows * kBlocks, kThreads, bytes>>>(out, in, cols, size);
}
