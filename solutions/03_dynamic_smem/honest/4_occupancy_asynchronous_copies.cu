// honest: fills its tile by asynchronous copies

#include <cuda_pipeline.h>

constexpr int kReach = 1024;

constexpr int kBlocks = 8;

__global__ void __launch_bounds__(1024)
    difference(float* out, const float* in, int n, int tile) {
  extern __shared__ float part[];
  const int first = blockIdx.x * tile;
  const int written = min(tile, n - first);

  for (int i = threadIdx.x; i < written + kReach; i += blockDim.x)
    __pipeline_memcpy_async(part + i, in + first + i, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = threadIdx.x; i < written; i += blockDim.x)
    out[first + i] = part[i + kReach] - part[i];
}

void differences(float* out, const float* in, int n) {
  if (n == 0) return;
  int device, threads, shared, reserved;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor,
                         device);
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                         device);
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock,
                         device);
  const int bytes = (shared / kBlocks - reserved) / 128 * 128;
  const int tile = bytes / 4 - kReach;
  difference<<<(n + tile - 1) / tile, threads / kBlocks, bytes>>>(out, in, n,
                                                                  tile);
}
