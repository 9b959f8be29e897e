// 11_async_memory/4_cluster: a histogram for eight
//
// out[b] becomes the number of elements of `in` that are b; all are from 0 to
// bins - 1. Up to 200,000 bins do not fit a block, but eight blocks of a
// cluster: block `rank` has those from rank * size on. Below, each element is
// an addition to global memory. Add to the block of the cluster that has the
// bin, wherever it is, and to `out` once for each bin at the end. A block's
// memory is there from its start to its end, and not a moment longer.
//
//   ./course grade 11_async_memory/4_cluster    what is right, what is not
//   ./course hint  11_async_memory/4_cluster    one nudge more each time
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kBlocks = 8, kThreads = 512;
constexpr int kElements = 131072;  // of a cluster

//! [kernel]
__global__ void __cluster_dims__(kBlocks) __launch_bounds__(kThreads)
    count(int* out, const int* in, int n, int bins, int size) {
  extern __shared__ int own[];  // `size` bins
  const auto cluster = cg::this_cluster();
  const int rank = cluster.block_rank(), t = threadIdx.x;
  const int first = blockIdx.x / kBlocks * kElements;
  const int end = min(first + kElements, n);
  // Your work begins here.
  // TODO: count in the cluster.
  for (int i = first + rank * kThreads + t; i < end; i += kBlocks * kThreads)
    atomicAdd(&out[in[i]], 1);
  // Your work ends here.
}
//! [kernel]

void histogram(int* out, const int* in, int n, int bins) {
  cudaMemset(out, 0, bins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int size = (bins + kBlocks - 1) / kBlocks, bytes = size * sizeof(int);
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  const int clusters = (n + kElements - 1) / kElements;
  count<<<clusters * kBlocks, kThreads, bytes>>>(out, in, n, bins, size);
}
