// honest: exchanges in a tile of cooperative groups, which takes the struct as
// it is

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct Body {
  float mass, charge, radius, heat;
  float at[4];
};

constexpr int kThreads = 128;
constexpr unsigned kAll = 0xffffffff;

__device__ Body partners(Body mine, int mask) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  return warp.shfl_xor(mine, mask);
}

__global__ void exchange(Body* out, const Body* in, int n, int mask) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int last = i < n ? i : n - 1;
  const Body mine = in[last];
  const Body other = partners(mine, mask);
  if (i < n) out[i] = (i ^ mask) < n ? other : mine;
}

void butterfly(Body* out, const Body* in, int n, int mask) {
  if (n == 0) return;
  exchange<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, mask);
}
