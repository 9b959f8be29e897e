// attack: hides whose banks the lanes add to behind a pointer that could be of global memory
// against: 09_histograms/2_lanes
// must: failed conflicts

constexpr int kBins = 256, kThreads = 512, kElements = 32768;

__global__ void add_up(int* out, const int* in, const int* weight, int n) {
  __shared__ int bins[kBins];
  const int tid = threadIdx.x;
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  for (int b = tid; b < kBins; b += kThreads) bins[b] = 0;
  __syncthreads();
  for (int i = first + tid; i < end; i += kThreads)
    atomicAdd(in[i] < 0 ? out + i : bins + in[i], weight[i]);
  __syncthreads();
  for (int b = tid; b < kBins; b += kThreads) atomicAdd(&out[b], bins[b]);
}

void histogram(int* out, const int* in, const int* weight, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;
  const int blocks = (n + kElements - 1) / kElements;
  add_up<<<blocks, kThreads>>>(out, in, weight, n);
}
