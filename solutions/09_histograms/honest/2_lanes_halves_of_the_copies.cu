// honest: two threads add up a bin, half of the copies each

constexpr int kBins = 256;
constexpr int kLanes = 32;
constexpr int kThreads = 512;
constexpr int kElements = 32768;  // of a block

__global__ void add_up(int* out, const int* in, const int* weight, int n) {
  const int tid = threadIdx.x;
  const int first = blockIdx.x * kElements;
  const int end = first + kElements < n ? first + kElements : n;
  __shared__ int bins[kBins * kLanes];
  const int lane = tid & 31;
  for (int w = tid; w < kBins * kLanes; w += kThreads) bins[w] = 0;
  __syncthreads();
  for (int i = first + tid; i < end; i += kThreads) {
    atomicAdd(bins + (in[i] << 5 | lane), weight[i]);
  }
  __syncthreads();
  // Two threads a bin, half of the copies each, from their own lane on.
  const int b = tid % kBins, half = tid / kBins * 16;
  int all = 0;
#pragma unroll
  for (int c = 0; c < 16; ++c)
    all += bins[b * kLanes + (half + c + lane) % kLanes];
  atomicAdd(&out[b], all);
}

void histogram(int* out, const int* in, const int* weight, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int blocks = (n + kElements - 1) / kElements;
  add_up<<<blocks, kThreads>>>(out, in, weight, n);
}
