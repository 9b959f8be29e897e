// honest: cuda::atomic_ref, at the scope of the block and of the device

#include <cuda/atomic>

constexpr int kBins = 256, kThreads = 256, kElements = 4096;

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[kBins];
  const int tid = threadIdx.x, first = blockIdx.x * kElements;
  bins[tid] = 0;
  __syncthreads();
  for (int i = first + tid; i < first + kElements && i < n; i += kThreads) {
    cuda::atomic_ref<int, cuda::thread_scope_block> bin(bins[in[i]]);
    bin.fetch_add(1, cuda::memory_order_relaxed);
  }
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[tid]);
  sum.fetch_add(bins[tid], cuda::memory_order_relaxed);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0) count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
