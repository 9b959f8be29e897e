// honest: adds by red at an address of shared::cluster
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kBlocks = 8, kThreads = 512;
constexpr int kElements = 131072;  // of a cluster

__global__ void __cluster_dims__(kBlocks) __launch_bounds__(kThreads)
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
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"((unsigned)__cvta_generic_to_shared(&own[bin % size])),
          "r"(bin / size));
    asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(there)
                 : "memory");
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
  count<<<clusters * kBlocks, kThreads, bytes>>>(out, in, n, bins, size);
}
