// honest: larger blocks, as many as fit, each of which walks far

constexpr int kBins = 256, kMost = 528;

__global__ void count(int* out, const int* in, int n) {
  __shared__ int bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    if (bins[b] > 0) atomicAdd(&out[b], bins[b]);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  const int needed = (n + 4095) / 4096;
  const int blocks = needed < kMost ? needed : kMost;
  if (n > 0) count<<<blocks, 1024>>>(out, in, n);
}
