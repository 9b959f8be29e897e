// honest: barriers of the cluster that say .aligned, behind a loop of unequal
// length
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
  for (int i = t; i < size; i += kThreads) own[i] = 0;
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire."
      "aligned;" ::
          : "memory");
  const unsigned base = __cvta_generic_to_shared(own);
  for (int i = first + rank * kThreads + t; i < end; i += kBlocks * kThreads) {
    const unsigned bin = in[i];
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there)
        : "r"(base + bin % size * 4), "r"(bin / size));
    asm volatile(
        "red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(there)
        : "memory");
  }
  asm volatile(
      "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire."
      "aligned;" ::
          : "memory");
  for (int b = rank * size + t; b < min(bins, rank * size + size);
       b += kThreads)
    if (const int many = own[b - rank * size]) atomicAdd(out + b, many);
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
