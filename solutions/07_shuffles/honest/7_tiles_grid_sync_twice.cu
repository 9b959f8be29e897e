// honest: one cooperative launch of all blocks that fit, which meet twice

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
namespace cg = cooperative_groups;
// One cooperative launch: each block has a run of tiles; it adds them up, all
// wait, one block scans the sums, all wait again, and each scans its run.
constexpr int kThreads = 256, kTile = 4 * kThreads, kMost = 8 * 132;

__device__ int4 four(const int* in, int n, int i) {
  if (i + 3 < n) return *reinterpret_cast<const int4*>(in + i);
  return {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
          i + 2 < n ? in[i + 2] : 0, 0};
}
__device__ int block_sum(int value, int* words) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  value = cg::reduce(warp, value, cg::plus<int>());
  __syncthreads();
  if (warp.thread_rank() == 0) words[warp.meta_group_rank()] = value;
  __syncthreads();
  value = 0;
  for (int w = 0; w < kThreads / 32; ++w) value += words[w];
  return value;
}
__global__ void __launch_bounds__(kThreads, 8)
    scan_all(int* out, const int* in, int* sums, int n) {
  __shared__ int words[kThreads / 32];
  const auto grid = cg::this_grid();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int tiles = (n + kTile - 1) / kTile,
            each = (tiles + gridDim.x - 1) / gridDim.x;
  const int first = blockIdx.x * each, end = min(first + each, tiles);
  int sum = 0;
  for (int t = first; t < end; ++t) {
    const int4 v = four(in, n, t * kTile + 4 * threadIdx.x);
    sum += v.x + v.y + v.z + v.w;
  }
  sum = block_sum(sum, words);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  grid.sync();
  if (blockIdx.x == 0) {  // of all blocks' sums: what stands before each
    constexpr int kEach = (kMost + kThreads - 1) / kThreads;
    int own[kEach], total = 0;
    for (int e = 0; e < kEach; ++e) {
      const int b = kEach * threadIdx.x + e;
      own[e] = b < gridDim.x ? sums[b] : 0;
      total += own[e];
    }
    int all = cg::inclusive_scan(warp, total);
    __syncthreads();
    if (warp.thread_rank() == 31) words[warp.meta_group_rank()] = all;
    __syncthreads();
    for (int k = 0; k < warp.meta_group_rank(); ++k) all += words[k];
    all -= total;
    for (int e = 0; e < kEach; ++e) {
      const int b = kEach * threadIdx.x + e;
      if (b < gridDim.x) sums[b] = all;
      all += own[e];
    }
  }
  grid.sync();
  int before = sums[blockIdx.x];
  for (int t = first; t < end; ++t) {
    const int i = t * kTile + 4 * threadIdx.x;
    const int4 v = four(in, n, i);
    const int own = v.x + v.y + v.z + v.w;
    int w = cg::inclusive_scan(warp, own);
    __syncthreads();
    if (warp.thread_rank() == 31) words[warp.meta_group_rank()] = w;
    __syncthreads();
    int all = 0;
    for (int k = 0; k < kThreads / 32; ++k) {
      if (k < warp.meta_group_rank()) w += words[k];
      all += words[k];
    }
    w += before;
    before += all;
    const int z = w - v.w, y = z - v.z, x = y - v.y;
    if (i + 3 < n)
      *reinterpret_cast<int4*>(out + i) = {x, y, z, w};
    else
      for (int e = 0; e < 3; ++e)
        if (i + e < n) out[i + e] = e == 0 ? x : e == 1 ? y : z;
  }
}
void scan(int* out, const int* in, int n) {
  if (n == 0) return;
  int tiles = (n + kTile - 1) / kTile, blocks = std::min(tiles, kMost);
  int* sums = nullptr;
  cudaMalloc(&sums, kMost * sizeof(int));
  void* args[] = {&out, &in, &sums, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(scan_all), dim3(blocks),
                              dim3(kThreads), args, 0, 0);
  cudaFree(sums);
}
