// wrong: output: bins behind the first pass are left out

constexpr int kThreads = 1024;
constexpr int kElements = 65536;  // of a block

//! [kernel]
// Counts the elements from `from` to `from + size - 1`.
__global__ void count(int* out, const int* in, int n, int from, int size) {
  extern __shared__ int bins[];
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  for (int b = threadIdx.x; b < size; b += kThreads) bins[b] = 0;
  __syncthreads();
  for (int i = first + threadIdx.x; i < end; i += kThreads) {
    // Your work begins here.
    const int bin = in[i] - from;
    if (0 <= bin && bin < size) atomicAdd(&bins[bin], 1);
    // Your work ends here.
  }
  __syncthreads();
  for (int b = threadIdx.x; b < size; b += kThreads)
    if (bins[b] > 0) atomicAdd(&out[from + b], bins[b]);
}
//! [kernel]

//! [launch]
void histogram(int* out, const int* in, int n, int bins) {
  cudaMemset(out, 0, bins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int blocks = (n + kElements - 1) / kElements;
  // Your work begins here.
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const int fit = most / sizeof(int);
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       most);
  const int size = bins < fit ? bins : fit;
  count<<<blocks, kThreads, size * sizeof(int)>>>(out, in, n, 0, size);
  // Your work ends here.
}
//! [launch]
