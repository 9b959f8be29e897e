// honest: CUB's histogram of a block

#include <cub/block/block_histogram.cuh>

constexpr int kBins = 256, kThreads = 256, kElements = 4096;

__global__ void count(int* out, const int* in, int n) {
  using Histogram =
      cub::BlockHistogram<int, kThreads, 1, kBins, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ int bins[kBins + 1];
  const int tid = threadIdx.x, first = blockIdx.x * kElements;
  Histogram histogram(storage);
  histogram.InitHistogram(bins);
  if (tid == 0) bins[kBins] = 0;
  __syncthreads();
  for (int i = first + tid; i < first + kElements; i += kThreads) {
    int items[1] = {i < n ? in[i] : kBins};
    histogram.Composite(items, bins);
  }
  __syncthreads();
  atomicAdd(&out[tid], bins[tid]);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0) count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
