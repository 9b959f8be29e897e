// honest: groups of lanes by cooperative groups, and a branch for lanes without
// a source
#include <cooperative_groups.h>

namespace groups = cooperative_groups;

template <int kWidth>
__global__ void move(float* out, const float* in, int n) {
  const auto group =
      groups::tiled_partition<kWidth>(groups::this_thread_block());
  const int i = blockIdx.x * 128 + threadIdx.x, place = group.thread_rank();
  const float value = in[min(i, n - 1)];
  float around = group.shfl(value, (place + 2) % kWidth);
  float before = group.shfl_up(value, 2), behind = group.shfl_down(value, 2);
  const float first = group.shfl(value, 0);
  if (i >= n) return;
  if (place < 2) before = value;
  if (place + 2 >= kWidth || i + 2 >= n) behind = value;
  if (i - place + (place + 2) % kWidth >= n) around = value;
  out[i] = first;
  out[n + i] = before;
  out[2 * n + i] = behind;
  out[3 * n + i] = around;
}

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;
  const int blocks = (n + 127) / 128;
  if (width == 8) move<8><<<blocks, 128>>>(out, in, n);
  if (width == 16) move<16><<<blocks, 128>>>(out, in, n);
  if (width == 32) move<32><<<blocks, 128>>>(out, in, n);
}
