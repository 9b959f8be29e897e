// control: adds up rows in the order of an exclusive or
// against: 09_histograms/2_lanes
// must: passed

constexpr int kBins = 256, kLanes = 32, kThreads = 512, kElements = 32768;

__device__ int word(int bin, int c) {
  return (c ^ bin) % kLanes;
}

// For the sum, thread b begins at word b of its row, by exclusive or.
__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[kBins][kLanes];
  const int tid = threadIdx.x, first = blockIdx.x * kElements;
  const int lane = tid % kLanes;
  for (int b = tid / kLanes; b < kBins; b += kThreads / kLanes) bins[b][lane] = 0;
  __syncthreads();
  for (int i = first + tid; i < first + kElements && i < n; i += kThreads)
    atomicAdd(&bins[in[i]][lane], 1);
  __syncthreads();
  if (tid >= kBins) return;
  int sum = 0;
  for (int c = 0; c < kLanes; ++c) sum += bins[tid][word(tid, c)];
  atomicAdd(&out[tid], sum);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0) count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
