// honest: takes two elements per thread

constexpr int kLanes = 32;
constexpr int kElements = 512, kThreads = kElements / 2;
constexpr unsigned kAll = 0xffffffff;

__device__ float warp_sum(float value) {
#pragma unroll
  for (int apart = kLanes / 2; apart > 0; apart /= 2)
    value += __shfl_down_sync(kAll, value, apart);
  return value;
}

__global__ void sum_blocks(float* out, const float* in, int n) {
  const int i = blockIdx.x * kElements + threadIdx.x, j = i + kThreads;
  float sum = warp_sum((i < n ? in[i] : 0.0f) + (j < n ? in[j] : 0.0f));
  constexpr int kWarps = kThreads / kLanes;
  __shared__ float part[kWarps];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warp_sum(lane < kWarps ? part[lane] : 0.0f);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void block_sums(float* out, const float* in, int n) {
  if (n == 0) return;
  sum_blocks<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
