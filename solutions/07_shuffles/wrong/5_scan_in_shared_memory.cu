// wrong: shuffles, shared_bytes: rounds in shared memory, not in registers

constexpr int kLanes = 32, kThreads = 256;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

__device__ int warp_scan(int value) {  // of this lane and all before it
  __shared__ int part[kThreads];
  const int t = threadIdx.x, lane = t % kLanes;
  part[t] = value;
  for (int apart = 1; apart < kLanes; apart *= 2) {
    __syncwarp(kAll);
    if (lane >= apart) value += part[t - apart];
    __syncwarp(kAll);
    part[t] = value;
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
