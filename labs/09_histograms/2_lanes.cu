// 09_histograms/2_lanes: thirty-two copies, and nobody waits
//
// out[b] becomes the sum of weight[i] over all i with in[i] == b, b from 0 to
// 255. The kernel is right, with one sum a bin in a block. But lanes of a warp
// that add to one sum take turns, up to 32, and so do lanes whose sums share a
// bank. Have 32 copies of the sums instead, 32 KiB: lane 0 of every warp adds
// to copy 0, lane 1 to copy 1, and so on. Lay them out so that all words of
// copy l are in bank l: then 32 weights are one addition of a warp, and no lane
// waits. At the end out[b] gets what all copies have; mind the banks there too.
//
//   ./course grade 09_histograms/2_lanes    what is right, and what is not
//   ./course hint  09_histograms/2_lanes    one nudge more each time

constexpr int kBins = 256;
constexpr int kLanes = 32;
constexpr int kThreads = 512;
constexpr int kElements = 32768;  // of a block

//! [kernel]
__global__ void add_up(int* out, const int* in, const int* weight, int n) {
  const int tid = threadIdx.x;
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  // Your work begins here.
  // TODO: a copy for each lane, all zero.
  __shared__ int bins[kBins];
  for (int b = tid; b < kBins; b += kThreads) bins[b] = 0;
  // Your work ends here.
  __syncthreads();
  for (int i = first + tid; i < end; i += kThreads) {
    // Your work begins here.
    // TODO: this lane's word of the bin.
    atomicAdd(&bins[in[i]], weight[i]);
    // Your work ends here.
  }
  __syncthreads();
  // Your work begins here.
  // TODO: the sum of all copies.
  for (int b = tid; b < kBins; b += kThreads) atomicAdd(&out[b], bins[b]);
  // Your work ends here.
}
//! [kernel]

void histogram(int* out, const int* in, const int* weight, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int blocks = (n + kElements - 1) / kElements;
  add_up<<<blocks, kThreads>>>(out, in, weight, n);
}
