// wrong: output, memory: blocks store their counts in place of adding them

constexpr int kBins = 256;
constexpr int kThreads = 256;
constexpr int kElements = 4096;  // of a block

//! [kernel]
__global__ void count(int* out, const int* in, int n) {
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  // Your work begins here.
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += kThreads) bins[b] = 0;
  __syncthreads();
  for (int i = first + threadIdx.x; i < end; i += kThreads)
    atomicAdd(&bins[in[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += kThreads) out[b] = bins[b];
  // Your work ends here.
}
//! [kernel]

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
