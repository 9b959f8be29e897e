// honest: adds up two elements per thread by cub::BlockReduce

#include <cub/block/block_reduce.cuh>

constexpr int kElements = 512, kEach = 2;
constexpr int kThreads = kElements / kEach;

__global__ void sum_blocks(float* out, const float* in, int n) {
  using Reduce = cub::BlockReduce<float, kThreads>;
  __shared__ typename Reduce::TempStorage memory;
  float values[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int i = blockIdx.x * kElements + e * kThreads + threadIdx.x;
    values[e] = i < n ? in[i] : 0.0f;
  }
  const float sum = Reduce(memory).Sum(values);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void block_sums(float* out, const float* in, int n) {
  if (n == 0) return;
  sum_blocks<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
