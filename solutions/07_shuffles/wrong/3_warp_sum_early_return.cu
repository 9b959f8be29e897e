// wrong: output, memory: lanes leave, and others read from them

constexpr int kLanes = 32;
constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

// The sum of all lanes' values, in lane 0 at least.
__device__ float warp_sum(float value) {
#pragma unroll
  for (int apart = kLanes / 2; apart > 0; apart /= 2)
    value += __shfl_down_sync(kAll, value, apart);
  return value;
}

__global__ void sum_warps(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const float sum = warp_sum(in[i]);
  if (i % kLanes == 0) out[i / kLanes] = sum;
}

void warp_sums(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  sum_warps<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
