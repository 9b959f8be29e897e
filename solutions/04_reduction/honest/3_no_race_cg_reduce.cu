// honest: ends by the reduction of cooperative groups

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kEach = 4;
constexpr int kElements = kThreads * kEach;

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int e = 0; e < kEach; ++e) {
    const int i = blockIdx.x * kElements + e * kThreads + tid;
    if (i < n) sum += in[i];
  }
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 32; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }

  if (tid < 32) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int sum =
        cg::reduce(warp, part[tid] + part[tid + 32], cg::plus<int>());
    if (warp.thread_rank() == 0) part[0] = sum;
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(int* out, const int* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
