// control: a warp adds up a bin's copies, in one instruction
// against: 09_histograms/2_lanes
// must: passed

constexpr int kBins = 256, kLanes = 32, kThreads = 512, kElements = 32768;

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[kBins * kLanes];
  const int tid = threadIdx.x, first = blockIdx.x * kElements;
  const int lane = tid % kLanes;
  for (int w = tid; w < kBins * kLanes; w += kThreads) bins[w] = 0;
  __syncthreads();
  for (int i = first + tid; i < first + kElements && i < n; i += kThreads)
    atomicAdd(&bins[in[i] * kLanes + lane], 1);
  __syncthreads();
  for (int b = tid / kLanes; b < kBins; b += kThreads / kLanes) {
    const int sum = __reduce_add_sync(0xffffffff, bins[b * kLanes + lane]);
    if (lane == 0) atomicAdd(&out[b], sum);
  }
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0) count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
