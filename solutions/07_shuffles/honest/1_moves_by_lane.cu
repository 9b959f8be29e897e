// honest: computes every source lane, and shuffles by index alone

constexpr int kThreads = 128;
constexpr int kApart = 2;
constexpr unsigned kAll = 0xffffffff;

__global__ void move(float* out, const float* in, int n, int width) {
  const int i = blockIdx.x * kThreads + threadIdx.x, lane = threadIdx.x % 32;
  const int place = lane % width, group = lane - place;
  const float value = i < n ? in[i] : 0.0f;
  const float first = __shfl_sync(kAll, value, group);
  const float before =
      __shfl_sync(kAll, value, place >= kApart ? lane - kApart : lane);
  const float behind =
      __shfl_sync(kAll, value, place + kApart < width ? lane + kApart : lane);
  const int source = group + (place + kApart) % width;
  const float around = __shfl_sync(kAll, value, source);
  if (i < n) {
    out[i] = first;
    out[n + i] = before;
    out[2 * n + i] = i + kApart < n ? behind : value;
    out[3 * n + i] = i - lane + source < n ? around : value;
  }
}

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;
  move<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, width);
}
