// honest: shuffles by inline PTX

constexpr int kThreads = 128;
constexpr int kApart = 2;
constexpr unsigned kAll = 0xffffffff;

__device__ float up(float value, int by, int width) {
  float result;
  asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, 0xffffffff;"
               : "=f"(result)
               : "f"(value), "r"(by), "r"((32 - width) << 8));
  return result;
}

__global__ void move(float* out, const float* in, int n, int width) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int place = threadIdx.x % width;
  const float value = i < n ? in[i] : 0.0f;
  const float first = __shfl_sync(kAll, value, 0, width);
  const float before = up(value, kApart, width);
  const float behind = __shfl_down_sync(kAll, value, kApart, width);
  const int source = (place + kApart) % width;
  const float around = __shfl_sync(kAll, value, source, width);
  if (i >= n) return;

  out[i] = first;
  out[n + i] = before;
  out[2 * n + i] = i + kApart < n ? behind : value;
  out[3 * n + i] = i - place + source < n ? around : value;
}

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;
  move<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, width);
}
