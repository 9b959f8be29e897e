// 09_histograms/1_private: a histogram for each block
//
// out[b] becomes the number of elements of `in` that are b; all of them are
// from 0 to 255. The kernel below is right. Each element costs one addition in
// global memory, and where all are the same, all additions are to one address.
//
// Let each block count its 4,096 elements in shared memory, where an addition
// is a request to the banks next door, and let it add its 256 counts to `out`
// once, when it is done.
//
//   ./course grade 09_histograms/1_private    what is right, and what is not
//   ./course hint  09_histograms/1_private    one nudge more each time

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
  for (int b = threadIdx.x; b < kBins; b += kThreads)
    atomicAdd(&out[b], bins[b]);
  // Your work ends here.
}
//! [kernel]

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
