// honest: adds up rows in the order of an exclusive or

constexpr int kBins = 256, kLanes = 32, kThreads = 512, kElements = 32768;

// For the sum, thread b begins at word b of its row, by exclusive or.
__global__ void add_up(int* out, const int* in, const int* weight, int n) {
  __shared__ int bins[kBins][kLanes];
  const int tid = threadIdx.x, lane = tid % kLanes;
  const int end = min(n, (blockIdx.x + 1) * kElements);
  for (int b = tid / kLanes; b < kBins; b += kThreads / kLanes)
    bins[b][lane] = 0;
  __syncthreads();
  for (int i = blockIdx.x * kElements + tid; i < end; i += kThreads)
    atomicAdd_block(&bins[in[i]][lane], weight[i]);
  __syncthreads();
  if (tid >= kBins) return;
  int sum = 0;
  for (int c = 0; c < kLanes; ++c) sum += bins[tid][c ^ lane];
  atomicAdd(&out[tid], sum);
}

void histogram(int* out, const int* in, const int* weight, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0)
    add_up<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, weight, n);
}
