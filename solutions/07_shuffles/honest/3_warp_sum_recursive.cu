// honest: adds by a template that calls itself, and passes the operation

constexpr int kLanes = 32;
constexpr int kThreads = 256;
constexpr unsigned kAll = 0xffffffff;

template <int kApart, class Add>
__device__ float folded(float value, Add add) {
  value = add(value, __shfl_down_sync(kAll, value, kApart));
  if constexpr (kApart > 1) return folded<kApart / 2>(value, add);
  return value;
}

__device__ float warp_sum(float value) {
  return folded<kLanes / 2>(value, [](float a, float b) { return a + b; });
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
