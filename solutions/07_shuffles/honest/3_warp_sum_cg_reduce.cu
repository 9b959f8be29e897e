// honest: adds by the reduction of cooperative groups

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr int kLanes = 32;
constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffff;

__device__ float warp_sum(float value) {
  const auto warp = cg::tiled_partition<kLanes>(cg::this_thread_block());
  return cg::reduce(warp, value, cg::plus<float>());
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
