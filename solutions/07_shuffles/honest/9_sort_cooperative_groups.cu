// honest: a tile of cooperative groups shuffles, and two arrays take turns
#include <cooperative_groups.h>

#include <climits>
namespace cg = cooperative_groups;

constexpr int kTile = 1024;

__global__ void sort_tile(int* out, const int* in, int n) {
  __shared__ int even[kTile], odd[kTile];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int t = block.thread_rank(), i = blockIdx.x * kTile + t;
  int key = i < n ? in[i] : INT_MAX;
  int *now = even, *next = odd;
  for (int size = 2; size <= kTile; size *= 2) {
    for (int apart = size / 2; apart > 0; apart /= 2) {
      int other;
      if (apart < 32) {
        other = warp.shfl_xor(key, apart);
      } else {
        now[t] = key;
        block.sync();
        other = now[t ^ apart];
        int* const used = now;
        now = next;
        next = used;
      }
      if (((t & size) == 0) == ((t & apart) == 0))
        key = min(key, other);
      else
        key = max(key, other);
    }
  }
  if (i < n) out[i] = key;
}

void sort_tiles(int* out, const int* in, int n) {
  if (n > 0) sort_tile<<<(n + kTile - 1) / kTile, kTile>>>(out, in, n);
}
