// wrong: conflicts: warps are kept apart, lanes are not

constexpr int kBins = 256;
constexpr int kLanes = 32;
constexpr int kThreads = 512;
constexpr int kElements = 32768;  // of a block

__global__ void add_up(int* out, const int* in, const int* weight, int n) {
  const int tid = threadIdx.x;
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  constexpr int kWarps = kThreads / kLanes;
  __shared__ int bins[kWarps][kBins];
  const int warp = tid / kLanes;
  for (int b = tid; b < kWarps * kBins; b += kThreads) (&bins[0][0])[b] = 0;
  __syncthreads();
  for (int i = first + tid; i < end; i += kThreads) {
    atomicAdd(&bins[warp][in[i]], weight[i]);
  }
  __syncthreads();
  for (int b = tid; b < kBins; b += kThreads) {
    int sum = 0;
    for (int w = 0; w < kWarps; ++w) sum += bins[w][b];
    atomicAdd(&out[b], sum);
  }
}

void histogram(int* out, const int* in, const int* weight, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int blocks = (n + kElements - 1) / kElements;
  add_up<<<blocks, kThreads>>>(out, in, weight, n);
}
