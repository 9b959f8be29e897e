// wrong: coalescing: each copy is added to `out` by itself

constexpr int kBins = 256;
constexpr int kLanes = 32;
constexpr int kThreads = 512;
constexpr int kElements = 32768;  // of a block

__global__ void add_up(int* out, const int* in, const int* weight, int n) {
  const int tid = threadIdx.x;
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  __shared__ int bins[kBins][kLanes];
  const int lane = tid % kLanes;
  for (int b = tid / kLanes; b < kBins; b += kThreads / kLanes)
    bins[b][lane] = 0;
  __syncthreads();
  for (int i = first + tid; i < end; i += kThreads) {
    atomicAdd(&bins[in[i]][lane], weight[i]);
  }
  __syncthreads();
  for (int b = tid; b < kBins; b += kThreads) {
    for (int c = 0; c < kLanes; ++c)
      atomicAdd(&out[b], bins[b][(c + lane) % kLanes]);
  }
}

void histogram(int* out, const int* in, const int* weight, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int blocks = (n + kElements - 1) / kElements;
  add_up<<<blocks, kThreads>>>(out, in, weight, n);
}
