// honest: has clusters of four blocks, for which the launch asks
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kBlocks = 4, kThreads = 512;
constexpr int kElements = 131072;  // of a cluster

__global__ void __launch_bounds__(kThreads)
    count(int* out, const int* in, int n, int bins, int size) {
  extern __shared__ int own[];  // `size` bins
  const auto cluster = cg::this_cluster();
  const int rank = cluster.block_rank(), t = threadIdx.x;
  const int first = blockIdx.x / kBlocks * kElements;
  const int end = min(first + kElements, n);
  for (int b = t; b < size; b += kThreads) own[b] = 0;
  cluster.sync();  // all bins are zero, and all blocks have begun
  for (int i = first + rank * kThreads + t; i < end; i += kBlocks * kThreads) {
    const int bin = in[i];
    int* const there = cluster.map_shared_rank(own, bin / size);
    atomicAdd(&there[bin % size], 1);
  }
  cluster.sync();  // nobody adds any more
  for (int b = t; b < size; b += kThreads)
    if (own[b] > 0) atomicAdd(&out[rank * size + b], own[b]);
}

void histogram(int* out, const int* in, int n, int bins) {
  cudaMemset(out, 0, bins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int size = (bins + kBlocks - 1) / kBlocks, bytes = size * sizeof(int);
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  const int clusters = (n + kElements - 1) / kElements;
  cudaLaunchConfig_t config = {};
  config.gridDim = clusters * kBlocks;
  config.blockDim = kThreads;
  config.dynamicSmemBytes = bytes;
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = kBlocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, count, out, in, n, bins, size);
}
