// honest: rows of the grid count ranges of bins that are alike in size

__global__ void count(int* out, const int* in, int n, int bins, int fit) {
  extern __shared__ int counts[];
  const int first = blockIdx.x * 65536, from = blockIdx.y * fit;
  const int end = min(n, first + 65536);
  for (int b = threadIdx.x; b < fit; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) {
    const int bin = in[i];
    if (bin >= from && bin < from + fit) atomicAdd(&counts[bin - from], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < fit; b += blockDim.x)
    if (counts[b] != 0) atomicAdd(&out[from + b], counts[b]);
}

void histogram(int* out, const int* in, int n, int bins) {
  cudaMemset(out, 0, bins * sizeof(int));
  if (n == 0) return;
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const int rows = (4 * bins + most - 1) / most;
  const int fit = (bins + rows - 1) / rows;
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       most);
  const dim3 grid((n + 65535) / 65536, rows);
  count<<<grid, 1024, fit * 4>>>(out, in, n, bins, fit);
}
