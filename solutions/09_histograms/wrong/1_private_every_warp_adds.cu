// wrong: coalescing: warps count apart, and each adds to `out`

constexpr int kBins = 256;
constexpr int kThreads = 256;
constexpr int kElements = 4096;  // of a block

//! [kernel]
__global__ void count(int* out, const int* in, int n) {
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  // Your work begins here.
  constexpr int kWarps = kThreads / 32;
  __shared__ int bins[kWarps][kBins];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int b = lane; b < kBins; b += 32) bins[warp][b] = 0;
  __syncwarp();
  for (int i = first + threadIdx.x; i < end; i += kThreads)
    atomicAdd(&bins[warp][in[i]], 1);
  __syncwarp();
  for (int b = lane; b < kBins; b += 32) atomicAdd(&out[b], bins[warp][b]);
  // Your work ends here.
}
//! [kernel]

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
