// wrong: output: elements come from behind the end of `in`

constexpr int kThreads = 128;
constexpr int kApart = 2;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

__global__ void move(float* out, const float* in, int n, int width) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int place = threadIdx.x % width;  // in the group
  const float value = i < n ? in[i] : 0.0f;
  const float first = __shfl_sync(kAll, value, 0, width);
  const float before = __shfl_up_sync(kAll, value, kApart, width);
  const float behind = __shfl_down_sync(kAll, value, kApart, width);
  const int source = (place + kApart) % width;
  const float around = __shfl_sync(kAll, value, source, width);
  if (i >= n) return;

  // Lanes behind the end took part, but what they had to give is no element.
  out[i] = first;
  out[n + i] = before;
  out[2 * n + i] = behind;
  out[3 * n + i] = around;
}

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;  // a grid must not be empty
  move<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, width);
}
