// wrong: requests: each lane loads one element at a time

constexpr int kBins = 256;
constexpr int kThreads = 1024;

__global__ void __launch_bounds__(kThreads, 2)
    count(int* out, const int* in, int n) {
  __shared__ int bins[kBins];
  const int tid = threadIdx.x;
  if (tid < kBins) bins[tid] = 0;
  __syncthreads();

  const int first = blockIdx.x * kThreads + tid;
  for (int i = first; i < n; i += gridDim.x * kThreads)
    atomicAdd(&bins[in[i]], 1);

  __syncthreads();
  if (tid < kBins) atomicAdd(&out[tid], bins[tid]);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int full = 2 * sms;  // every thread that can be resident
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < full ? needed : full;
  count<<<blocks, kThreads>>>(out, in, n);
}
