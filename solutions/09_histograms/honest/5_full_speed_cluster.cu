// honest: a copy a lane, and four blocks of a cluster bring theirs together

#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
// A copy for each lane of a block, and four blocks of a cluster bring theirs
// together.
constexpr int kBins = 256, kThreads = 1024, kCluster = 4, kLanes = 32;
__global__ void __cluster_dims__(kCluster) __launch_bounds__(kThreads, 2)
    count(int* out, const int* in, int n) {
  extern __shared__ int bins[];  // kBins x kLanes, then a sum for each bin
  int* const sums = bins + kBins * kLanes;
  const auto cluster = cg::this_cluster();
  const int t = threadIdx.x, lane = t % kLanes;
  for (int b = t; b < kBins * kLanes; b += kThreads) bins[b] = 0;
  __syncthreads();
  const int all = gridDim.x * kThreads, me = blockIdx.x * kThreads + t;
  for (int i = me; i < n / 4; i += all) {
    const int4 v = reinterpret_cast<const int4*>(in)[i];
    atomicAdd(&bins[v.x * kLanes + lane], 1);
    atomicAdd(&bins[v.y * kLanes + lane], 1);
    atomicAdd(&bins[v.z * kLanes + lane], 1);
    atomicAdd(&bins[v.w * kLanes + lane], 1);
  }
  if (me < n % 4) atomicAdd(&bins[in[n / 4 * 4 + me] * kLanes + lane], 1);
  __syncthreads();
  if (t < kBins) {
    int sum = 0;
    for (int c = 0; c < kLanes; ++c)
      sum += bins[t * kLanes + (c + lane) % kLanes];
    sums[t] = sum;
  }
  cluster.sync();
  const int each = kBins / kCluster, rank = cluster.block_rank();
  if (t < each) {
    int sum = 0;
    for (int r = 0; r < kCluster; ++r)
      sum += cluster.map_shared_rank(sums, r)[rank * each + t];
    if (sum) atomicAdd(out + rank * each + t, sum);
  }
  cluster.sync();
}
void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;
  constexpr int kBytes = (kBins * kLanes + kBins) * sizeof(int);
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       kBytes);
  count<<<264, kThreads, kBytes>>>(out, in, n);
}
