// honest: adds only counts that are not zero

constexpr int kBins = 256, kThreads = 256, kElements = 4096;

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[kBins];
  const int tid = threadIdx.x, first = blockIdx.x * kElements;
  bins[tid] = 0;
  __syncthreads();
#pragma unroll 4
  for (int i = tid; i < kElements; i += kThreads)
    if (first + i < n) atomicAdd(bins + in[first + i], 1);
  __syncthreads();
  if (const int found = bins[tid]) atomicAdd(out + tid, found);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0) count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
