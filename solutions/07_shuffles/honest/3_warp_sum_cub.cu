// honest: adds by cub::WarpReduce

#include <cub/warp/warp_reduce.cuh>

constexpr int kLanes = 32;
constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffff;

__device__ float warp_sum(float value) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage memory[kThreads / kLanes];
  return Reduce(memory[threadIdx.x / kLanes]).Sum(value);
}

__global__ void sum_warps(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float sum = warp_sum(i < n ? in[i] : 0.0f);
  if (i < n && i % kLanes == 0) out[i / kLanes] = sum;
}

void warp_sums(float* out, const float* in, int n) {
  if (n == 0) return;
  sum_warps<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
