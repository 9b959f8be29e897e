// Lanes of one warp: what orders their memory, and what only looks as if it did.
#include "kernel.cuh"

namespace cg = cooperative_groups;

// Wrong: lanes of a warp run together often, but nothing promises it.
KERNEL(lanes_at_once) {
  const int t = threadIdx.x;
  out[t] = in[t];            //! race
  out[512 + t] = out[t ^ 1]; //! race
}
// Wrong: a shuffle moves registers; it does not order memory.
KERNEL(lanes_shuffle) {
  const int t = threadIdx.x;
  out[t] = in[t]; //! race
  const int other = __shfl_xor_sync(kAll, in[t], 1);
  out[512 + t] = other + out[t ^ 1]; //! race
}
// Right: __syncwarp orders the memory of the lanes that take part.
KERNEL(lanes_syncwarp) {
  const int t = threadIdx.x;
  out[t] = in[t];
  __syncwarp();
  out[512 + t] = out[t ^ 1];
}

// Wrong: a vote brings the lanes together, and orders no memory.
KERNEL(vote_between) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t]; //! race
  const int any = __any_sync(kAll, in[t] > 3);
  out[t] = any + tile[t ^ 1]; //! race
}
// Wrong: nor does a match.
KERNEL(match_between) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t]; //! race
  const int same = static_cast<int>(__match_any_sync(kAll, in[t] % 3));
  out[t] = same + tile[t ^ 1]; //! race
}
// Wrong: nor does a reduction of registers.
KERNEL(reduce_between) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t]; //! race
  const int sum = __reduce_add_sync(kAll, in[t]);
  out[t] = sum + tile[t ^ 1]; //! race
}
// Wrong: a fence orders this thread's accesses, and waits for no other.
KERNEL(fence_between) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t]; //! race
  __threadfence_block();
  out[t] = tile[t ^ 1]; //! race
}
// Right: __syncwarp does.
KERNEL(syncwarp_between) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t];
  const int any = __any_sync(kAll, in[t] > 3);
  __syncwarp();
  out[t] = any + tile[t ^ 1];
}

// Wrong: each half of a warp meets on its own, and the values cross from one to the other.
KERNEL(syncwarp_of_halves) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t]; //! race
  __syncwarp(t % 32 < 16 ? 0xffff : 0xffff0000);
  out[t] = tile[t ^ 16]; //! race
}
// Right: the values stay within the halves.
KERNEL(syncwarp_within_halves) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncwarp(t % 32 < 16 ? 0xffff : 0xffff0000);
  out[t] = tile[t ^ 8];
}

// Wrong: groups of 16 lanes meet, and the neighbour is in another.
KERNEL(group_too_small) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  const auto group = cg::tiled_partition<16>(cg::this_thread_block());
  tile[t] = in[t]; //! race
  group.sync();
  out[t] = tile[t ^ 16]; //! race
}
// Right: groups of 32.
KERNEL(group_large_enough) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  const auto group = cg::tiled_partition<32>(cg::this_thread_block());
  tile[t] = in[t];
  group.sync();
  out[t] = tile[t ^ 16];
}
