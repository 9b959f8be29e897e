// honest: one addition for all lanes of a bin

constexpr int kBins = 256, kThreads = 256, kElements = 4096;

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[kBins];
  const int tid = threadIdx.x, first = blockIdx.x * kElements;
  bins[tid] = 0;
  __syncthreads();
  for (int i = first + tid; i < first + kElements; i += kThreads) {
    const int bin = i < n ? in[i] : kBins;
    const unsigned peers = __match_any_sync(0xffffffff, bin);
    if (bin < kBins && tid % 32 == __ffs(peers) - 1)
      atomicAdd(&bins[bin], __popc(peers));
  }
  __syncthreads();
  atomicAdd(&out[tid], bins[tid]);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0) count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
