// honest: fills its tile by asynchronous copies

#include <cuda_pipeline.h>

constexpr int kReach = 1024;

constexpr int kThreads = 256;
constexpr int kTile = 5120;

__global__ void __launch_bounds__(kThreads, 2048 / kThreads)
    difference(float* out, const float* in, int n) {
  __shared__ float part[kTile + kReach];
  const int first = blockIdx.x * kTile;
  const int written = min(kTile, n - first);

  for (int i = threadIdx.x; i < written + kReach; i += kThreads)
    __pipeline_memcpy_async(part + i, in + first + i, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = threadIdx.x; i < written; i += kThreads)
    out[first + i] = part[i + kReach] - part[i];
}

void differences(float* out, const float* in, int n) {
  if (n == 0) return;
  difference<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
