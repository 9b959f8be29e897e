// wrong: output: the lower half of a warp never reaches the upper

constexpr int kLanes = 32, kThreads = 256;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

__device__ int warp_scan(int value) {  // of this lane and all before it
  for (int apart = 1; apart < kLanes / 2; apart *= 2) {
    const int before = __shfl_up_sync(kAll, value, apart);
    if (threadIdx.x % kLanes >= apart) value += before;
  }
  return value;
}

__global__ void scan_groups(int* out, const int* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int sum = warp_scan(i < n ? in[i] : 0);
  if (i < n) out[i] = sum;
}

void scan(int* out, const int* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  scan_groups<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
