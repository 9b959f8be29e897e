// honest: has the largest tile that eight blocks can share, in dynamic memory

constexpr int kReach = 1024;

constexpr int kThreads = 256;
constexpr int kTile = 6016;

__global__ void __launch_bounds__(kThreads, 2048 / kThreads)
    difference(float* out, const float* in, int n) {
  extern __shared__ float part[];
  const int first = blockIdx.x * kTile;
  const int written = min(kTile, n - first);

  for (int i = threadIdx.x; i < written + kReach; i += kThreads)
    part[i] = in[first + i];
  __syncthreads();
  for (int i = threadIdx.x; i < written; i += kThreads)
    out[first + i] = part[i + kReach] - part[i];
}

void differences(float* out, const float* in, int n) {
  if (n == 0) return;
  difference<<<(n + kTile - 1) / kTile, kThreads,
               (kTile + kReach) * sizeof(float)>>>(out, in, n);
}
