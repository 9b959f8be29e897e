// honest: walks by while loops and pointers, without a bound on registers

constexpr int kReach = 1024;

constexpr int kBlocks = 8;

__global__ void difference(float* out, const float* in, int n, int tile) {
  extern __shared__ float part[];
  const int first = blockIdx.x * tile;
  const int written = min(tile, n - first);

  const float* from = in + first + threadIdx.x;
  const float* const end = in + first + written + kReach;
  float* to = part + threadIdx.x;
  while (from < end) {
    *to = *from;
    to += blockDim.x, from += blockDim.x;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < written; i += blockDim.x)
    out[first + i] = part[i + kReach] - part[i];
}

void differences(float* out, const float* in, int n) {
  if (n == 0) return;
  int threads = 0, bytes = 0, reserved = 0;
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                         0);
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0);
  bytes = bytes / kBlocks - reserved;
  const int tile = bytes / 128 * 32 - kReach;
  difference<<<(n + tile - 1) / tile, threads / kBlocks, bytes>>>(out, in, n,
                                                                  tile);
}
