// wrong: shuffles, shared_bytes: a tile carries the values

constexpr int kThreads = 128;
constexpr int kApart = 2;

__global__ void move(float* out, const float* in, int n, int width) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int place = threadIdx.x % width;  // in the group
  const float value = i < n ? in[i] : 0.0f;
  __shared__ float tile[kThreads];
  float* const group = tile + threadIdx.x - place;
  group[place] = value;
  __syncthreads();
  const float first = group[0];
  const float before = place >= kApart ? group[place - kApart] : value;
  const float behind = place + kApart < width ? group[place + kApart] : value;
  const int source = (place + kApart) % width;
  const float around = group[source];
  if (i >= n) return;

  // Lanes behind the end took part, but what they had to give is no element.
  out[i] = first;
  out[n + i] = before;
  out[2 * n + i] = i + kApart < n ? behind : value;
  out[3 * n + i] = i - place + source < n ? around : value;
}

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;  // a grid must not be empty
  move<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, width);
}
