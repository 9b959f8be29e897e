// wrong: kernel, coalescing: each thread looks for its bin in all elements

constexpr int kBins = 256;
constexpr int kThreads = 256;
constexpr int kElements = 4096;  // of a block

//! [kernel]
__global__ void count(int* out, const int* in, int n) {
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  // Your work begins here.
  int count = 0;
  for (int i = first; i < end; ++i) count += in[i] == threadIdx.x;
  atomicAdd(&out[threadIdx.x], count);
  // Your work ends here.
}
//! [kernel]

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
