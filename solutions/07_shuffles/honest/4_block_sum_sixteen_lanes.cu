// honest: adds up the words in half a warp

constexpr int kLanes = 32;
constexpr int kThreads = 512;
constexpr unsigned kAll = 0xffffffff;

__device__ float warp_sum(float value) {
#pragma unroll
  for (int apart = kLanes / 2; apart > 0; apart /= 2)
    value += __shfl_down_sync(kAll, value, apart);
  return value;
}

__global__ void sum_blocks(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  float sum = warp_sum(i < n ? in[i] : 0.0f);
  constexpr int kWarps = kThreads / kLanes;
  __shared__ float part[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  if (threadIdx.x < kWarps) {
    sum = part[lane];
#pragma unroll
    for (int apart = kWarps / 2; apart > 0; apart /= 2)
      sum += __shfl_down_sync((1u << kWarps) - 1, sum, apart, kWarps);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void block_sums(float* out, const float* in, int n) {
  if (n == 0) return;
  sum_blocks<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
