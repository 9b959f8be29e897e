// 09_histograms/4_many_bins: more bins than fit
//
// out[b] becomes the number of elements of `in` that are b; all of them are
// from 0 to bins - 1, and `bins` is from 1 to a million. A block keeps what it
// counts in dynamic shared memory: 48 KiB are 12,288 bins, and beyond that a
// launch is refused unless the kernel has opted in. That has an end as well.
// Where there are more bins than a block may have, each pass over `in` can
// count some of them. Take no more passes than it needs, as each reads it all.
//
//   ./course grade 09_histograms/4_many_bins    what is right, what is not
//   ./course hint  09_histograms/4_many_bins    one nudge more each time

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
  int most = 0;  // bytes
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       most);
  const int fit = most / sizeof(int);
  for (int from = 0; from < bins; from += fit) {
    const int size = bins - from < fit ? bins - from : fit;
    count<<<blocks, kThreads, size * sizeof(int)>>>(out, in, n, from, size);
  }
  // Your work ends here.
}
//! [launch]
