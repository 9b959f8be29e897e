// honest: has a smaller tile than would fit, and reads more of it twice
constexpr int kReach = 1024;
constexpr int kBlocks = 8;

__global__ void __launch_bounds__(1024)
    difference(float* out, const float* in, int n, int tile) {
  extern __shared__ float part[];
  const int first = blockIdx.x * tile;
  const int written = min(tile, n - first);
  for (int i = threadIdx.x; i < written + kReach; i += blockDim.x)
    part[i] = in[first + i];
  __syncthreads();
  for (int i = threadIdx.x; i < written; i += blockDim.x)
    out[first + i] = part[i + kReach] - part[i];
}

int asked(cudaDeviceAttr what) {
  int device = 0, value = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, what, device);
  return value;
}

void differences(float* out, const float* in, int n) {
  if (n == 0) return;
  const int bytes =
      asked(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / kBlocks -
      asked(cudaDevAttrReservedSharedMemoryPerBlock);
  const int largest = bytes / int(sizeof(float)) - kReach;
  const int tile = largest * 9 / 10 / 32 * 32;
  const int threads = asked(cudaDevAttrMaxThreadsPerMultiProcessor) / kBlocks;
  difference<<<(n + tile - 1) / tile, threads,
               (tile + kReach) * sizeof(float)>>>(out, in, n, tile);
}
