// wrong: coalescing, shuffles: each value is loaded, and none is handed over

constexpr int kThreads = 128;
constexpr int kApart = 2;

__global__ void move(float* out, const float* in, int n, int width) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int place = threadIdx.x % width;  // in the group
  const float value = i < n ? in[i] : 0.0f;
  if (i >= n) return;
  const int group = i - place;
  const int last = group + width < n ? group + width : n;
  const int source = (place + kApart) % width;
  out[i] = in[group];
  out[n + i] = place >= kApart ? in[i - kApart] : value;
  out[2 * n + i] = i + kApart < last ? in[i + kApart] : value;
  out[3 * n + i] = group + source < n ? in[group + source] : value;
}

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;  // a grid must not be empty
  move<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, width);
}
