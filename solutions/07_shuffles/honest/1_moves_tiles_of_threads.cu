// honest: has a kernel for each width, with tiles of cooperative groups

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kApart = 2;
constexpr unsigned kAll = 0xffffffff;

template <int kWidth>
__global__ void move(float* out, const float* in, int n) {
  const auto tile = cg::tiled_partition<kWidth>(cg::this_thread_block());
  const int i = blockIdx.x * kThreads + threadIdx.x, place = tile.thread_rank();
  const float value = i < n ? in[i] : 0.0f;
  const float first = tile.shfl(value, 0);
  const float before = tile.shfl_up(value, kApart);
  const float behind = tile.shfl_down(value, kApart);
  const int source = (place + kApart) % kWidth;
  const float around = tile.shfl(value, source);
  if (i >= n) return;
  out[i] = first;
  out[n + i] = before;
  out[2 * n + i] = i + kApart < n ? behind : value;
  out[3 * n + i] = i - place + source < n ? around : value;
}

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;
  const auto kernel = width == 8 ? move<8> : width == 16 ? move<16> : move<32>;
  kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
