// Shuffles, votes, matches, reductions of a warp, and cooperative groups.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void warp(int* out) {
  int v = out[threadIdx.x];
  v += __shfl_up_sync(~0u, v, 1);
  v += __shfl_down_sync(~0u, v, 1, 8);
  v += __shfl_xor_sync(0xffff, v, 3, 16);
  v += __shfl_sync(~0u, v, 3);
  v += __ballot_sync(~0u, v > 3) + __any_sync(~0u, v > 4) + __all_sync(~0u, v < 3);
  int same;
  v += __match_any_sync(~0u, v) + __match_all_sync(~0u, v, &same) + same;
  v += __reduce_add_sync(~0u, v) + __reduce_max_sync(~0u, v) + __activemask();
  v += __syncthreads_count(v) + __syncthreads_and(v) + __syncthreads_or(v);
  __syncwarp();
  out[threadIdx.x] = v + clock() + (int)clock64();
}

__global__ void groups(int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  auto active = cg::coalesced_threads();
  auto label = cg::labeled_partition(active, out[threadIdx.x] & 1);
  __shared__ int values[256];
  cg::memcpy_async(block, values, out, sizeof(int) * 256);
  cg::wait(block);
  int v = cg::reduce(tile, values[threadIdx.x], cg::plus<int>());
  v += cg::reduce(label, v, cg::greater<int>());
  tile.sync();
  block.sync();
  out[threadIdx.x] = v + tile.thread_rank() + tile.shfl_down(v, 1) + tile.ballot(v);
}

__global__ void __cluster_dims__(2, 1, 1) cluster(int* out) {
  extern __shared__ int mine[];
  auto group = cg::this_cluster();
  mine[threadIdx.x] = out[threadIdx.x];
  group.sync();
  int* theirs = group.map_shared_rank(mine, group.block_rank() ^ 1);
  out[threadIdx.x] = theirs[threadIdx.x];
  atomicAdd(theirs, 1);
  group.sync();
}
