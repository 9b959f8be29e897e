// honest: one launch, whose blocks go through all ranges of bins

__global__ void count(int* out, const int* in, int n, int bins, int fit) {
  extern __shared__ int counts[];
  const int first = blockIdx.x * 65536, end = min(n, first + 65536);
  for (int from = 0; from < bins; from += fit) {
    for (int b = threadIdx.x; b < fit; b += blockDim.x) counts[b] = 0;
    __syncthreads();
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) {
      const unsigned bin = in[i] - from;
      if (bin < fit) atomicAdd(counts + bin, 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < fit && from + b < bins; b += blockDim.x)
      atomicAdd(out + from + b, counts[b]);
    __syncthreads();
  }
}

void histogram(int* out, const int* in, int n, int bins) {
  cudaMemset(out, 0, bins * sizeof(int));
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const int passes = (bins - 1) / (most / 4) + 1;
  const int fit = (bins - 1) / passes + 1;
  const auto bytes = fit * sizeof(int);
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  if (n > 0) count<<<(n + 65535) / 65536, 1024, bytes>>>(out, in, n, bins, fit);
}
