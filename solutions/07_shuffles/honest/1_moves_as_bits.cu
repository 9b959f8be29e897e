// honest: moves floats as unsigned integers, in whole warps only

constexpr int kThreads = 128;
constexpr int kApart = 2;
constexpr unsigned kAll = 0xffffffff;

__device__ unsigned at(unsigned bits, int source, int width) {
  return __shfl_sync(kAll, bits, source, width);
}

__global__ void move(float* out, const float* in, int n, int width) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i - static_cast<int>(threadIdx.x) % 32 >= n) return;
  const unsigned bits = i < n ? __float_as_uint(in[i]) : 0u;
  const int place = i % width;
  const unsigned results[] = {at(bits, 0, width),
                              __shfl_up_sync(kAll, bits, kApart, width),
                              __shfl_down_sync(kAll, bits, kApart, width),
                              at(bits, place + kApart, width)};
  if (i >= n) return;
  const int last = n - 1 - (i - place);
  const bool exists[] = {true, true, place + kApart <= last,
                         (place + kApart) % width <= last};
#pragma unroll
  for (int r = 0; r < 4; ++r)
    out[r * n + i] = __uint_as_float(exists[r] ? results[r] : bits);
}

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;
  move<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, width);
}
