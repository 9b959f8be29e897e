// honest: adds by exclusive or, so that every lane has the sum

constexpr int kLanes = 32;
constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffff;

__device__ float warp_sum(float value) {
#pragma unroll 1
  for (int bit = 1; bit < kLanes; bit <<= 1)
    value += __shfl_xor_sync(kAll, value, bit);
  return value;
}

__global__ void sum_warps(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const float sum = warp_sum(i < n ? in[i] : 0.0f);
  if (i < n && i % kLanes == 0) out[i / kLanes] = sum;
}

void warp_sums(float* out, const float* in, int n) {
  if (n == 0) return;
  sum_warps<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
