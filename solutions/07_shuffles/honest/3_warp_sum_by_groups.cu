// honest: the sum of a warp by cooperative groups
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace groups = cooperative_groups;

__global__ void sum_warps(float* out, const float* in, int n) {
  const auto warp = groups::tiled_partition<32>(groups::this_thread_block());
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float sum =
      groups::reduce(warp, i < n ? in[i] : 0.0f, groups::plus<float>());
  if (warp.thread_rank() == 0 && i < n) out[i / 32] = sum;
}

void warp_sums(float* out, const float* in, int n) {
  if (n) sum_warps<<<(n + 255) / 256, 256>>>(out, in, n);
}
