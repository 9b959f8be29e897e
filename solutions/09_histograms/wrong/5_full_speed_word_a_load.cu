// wrong: requests: each lane loads one element at a time

constexpr int kBins = 256, kLanes = 32, kThreads = 1024;

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[kBins][kLanes];
  const int tid = threadIdx.x, lane = tid % kLanes;
  for (int b = tid / kLanes; b < kBins; b += kThreads / kLanes)
    bins[b][lane] = 0;
  __syncthreads();
  for (int i = blockIdx.x * kThreads + tid; i < n; i += gridDim.x * kThreads)
    atomicAdd(&bins[in[i]][lane], 1);
  __syncthreads();
  for (int b = tid; b < kBins; b += kThreads) {
    int sum = 0;
    for (int c = 0; c < kLanes; ++c) sum += bins[b][(c + lane) % kLanes];
    atomicAdd(&out[b], sum);
  }
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < 264 ? needed : 264;
  if (n > 0) count<<<blocks, kThreads>>>(out, in, n);
}
