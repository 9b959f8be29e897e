// honest: walks by while loops and pointers, without a bound on registers

constexpr int kReach = 1024;

constexpr int kThreads = 256;
constexpr int kTile = 5120;

__global__ void difference(float* out, const float* in, int n) {
  __shared__ float part[kTile + kReach];
  const int first = blockIdx.x * kTile;
  const int written = min(kTile, n - first);

  const float* from = in + first + threadIdx.x;
  const float* const end = in + first + written + kReach;
  float* to = part + threadIdx.x;
  while (from < end) {
    *to = *from;
    to += kThreads, from += kThreads;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < written; i += kThreads)
    out[first + i] = part[i + kReach] - part[i];
}

void differences(float* out, const float* in, int n) {
  if (n == 0) return;
  difference<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
