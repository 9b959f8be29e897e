// honest: learns from the properties of the device what eight blocks can share
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

void differences(float* out, const float* in, int n) {
  if (n == 0) return;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  const size_t share = device.sharedMemPerMultiprocessor / kBlocks;
  const int words = (share - device.reservedSharedMemPerBlock) / sizeof(float);
  const int tile = words - kReach;
  difference<<<(n + tile - 1) / tile,
               device.maxThreadsPerMultiProcessor / kBlocks,
               words * sizeof(float)>>>(out, in, n, tile);
}
