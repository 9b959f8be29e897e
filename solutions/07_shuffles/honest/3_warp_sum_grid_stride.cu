// honest: strides over the warps with few blocks

constexpr int kLanes = 32;
constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffff;

__device__ float warp_sum(float value) {
#pragma unroll
  for (int apart = kLanes / 2; apart > 0; apart /= 2)
    value += __shfl_down_sync(kAll, value, apart);
  return value;
}

__global__ void sum_warps(float* out, const float* in, int n) {
  const int whole = (n + kLanes - 1) / kLanes * kLanes;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < whole;
       i += gridDim.x * kThreads) {
    const float sum = warp_sum(i < n ? in[i] : 0.0f);
    if (i < n && i % kLanes == 0) out[i / kLanes] = sum;
  }
}

void warp_sums(float* out, const float* in, int n) {
  if (n == 0) return;
  sum_warps<<<9, kThreads>>>(out, in, n);
}
