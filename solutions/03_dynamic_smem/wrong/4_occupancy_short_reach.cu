// wrong: output: the end of the part is taken for the end of `in`

constexpr int kReach = 1024;

// 2,048 threads / 8. And 228 KiB / 8 - 1 KiB is 27.5 KiB, or 7,040 floats, of
// which 1,024 are the reach: 6,016 is the most, and 5,120 reads 1.2 times.
constexpr int kThreads = 256;
constexpr int kTile = 5120;

// The second bound keeps registers from being what limits an SM: at most 32.
__global__ void __launch_bounds__(kThreads, 2048 / kThreads)
    difference(float* out, const float* in, int n) {
  __shared__ float part[kTile + kReach];
  const int first = blockIdx.x * kTile;
  const int written = min(kTile, n - first);

  for (int i = threadIdx.x; i < written + kReach; i += kThreads)
    part[i] = i < kTile ? in[first + i] : 0;
  __syncthreads();
  for (int i = threadIdx.x; i < written; i += kThreads)
    out[first + i] = part[i + kReach] - part[i];
}

void differences(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  difference<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
