// honest: the groups that cooperative groups makes of equal labels

#include <cooperative_groups.h>

namespace cg = cooperative_groups;
constexpr int kBins = 256, kWarps = 4, kGroup = 1024;

__global__ void line_up(int* out, const int* in, int n) {
  __shared__ int counts[kWarps][kBins];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int warp = tile.meta_group_rank(), lane = tile.thread_rank();
  const int first = (blockIdx.x * kWarps + warp) * kGroup;
  for (int b = lane; b < kBins; b += 32) counts[warp][b] = 0;
  for (int step = 0; step < kGroup; step += 32) {
    tile.sync();
    const int i = first + step + lane;
    if (i >= n) continue;
    const int bin = in[i];
    const auto peers = cg::labeled_partition(cg::coalesced_threads(), bin);
    int start = 0;
    if (peers.thread_rank() == 0)
      start = atomicAdd(&counts[warp][bin], peers.size());
    out[i] = peers.shfl(start, 0) + peers.thread_rank();
  }
}

void places(int* out, const int* in, int n) {
  const int each = kWarps * kGroup;
  if (n > 0) line_up<<<(n + each - 1) / each, kWarps * 32>>>(out, in, n);
}
