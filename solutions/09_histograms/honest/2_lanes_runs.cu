// honest: a thread's run of one bin is added at once

constexpr int kBins = 256, kLanes = 32, kThreads = 512, kElements = 32768;

// A thread adds up the weights of its run of one bin before it adds to the
// copy.
__global__ void add_up(int* out, const int* in, const int* weight, int n) {
  __shared__ int bins[kBins][kLanes];
  const int tid = threadIdx.x, lane = tid % kLanes;
  const int first = blockIdx.x * kElements, end = min(n, first + kElements);
  for (int b = tid / kLanes; b < kBins; b += kThreads / kLanes)
    bins[b][lane] = 0;
  __syncthreads();
  int bin = 0, sum = 0;
  for (int i = first + tid; i < end; i += kThreads) {
    if (in[i] != bin) {
      if (sum != 0) atomicAdd(&bins[bin][lane], sum);
      bin = in[i];
      sum = 0;
    }
    sum += weight[i];
  }
  if (sum != 0) atomicAdd(&bins[bin][lane], sum);
  __syncthreads();
  for (int b = tid; b < kBins; b += kThreads) {
    int all = 0;
    for (int k = 0; k < kLanes; ++k) all += bins[b][(k + lane) % kLanes];
    atomicAdd(&out[b], all);
  }
}

void histogram(int* out, const int* in, const int* weight, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0)
    add_up<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, weight, n);
}
