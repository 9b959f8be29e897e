// wrong: uses: a thread keeps its numbers in registers, and no block has a tile

constexpr int kReach = 1024, kEach = 4, kThreads = 256;

__global__ void __launch_bounds__(kThreads, 8)
    difference(float* out, const float* in, int n) {
  const int quarter = blockIdx.x % 4, run = blockIdx.x / 4;
  int i = run * kEach * kReach + quarter * kThreads + threadIdx.x;
  if (i >= n) return;
  float last = in[i];
  for (int e = 0; e < kEach && i < n; ++e, i += kReach) {
    const float next = in[i + kReach];
    out[i] = next - last;
    last = next;
  }
}

void differences(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  const int runs = (n + kEach * kReach - 1) / (kEach * kReach);
  difference<<<4 * runs, kThreads>>>(out, in, n);
}
