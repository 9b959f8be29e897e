// honest: adds up a block by cub::BlockReduce

#include <cub/block/block_reduce.cuh>

constexpr int kThreads = 256;

__global__ void block_sums(float* out, const float* in, int n) {
  using Reduce = cub::BlockReduce<float, kThreads>;
  __shared__ typename Reduce::TempStorage memory;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float sum = Reduce(memory).Sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void sums(float* out, const float* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
