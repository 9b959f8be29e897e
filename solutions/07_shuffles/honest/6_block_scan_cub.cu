// honest: scans a block by cub::BlockScan

#include <cub/block/block_scan.cuh>

constexpr int kLanes = 32, kWarps = 8, kThreads = kLanes * kWarps;
constexpr int kTile = 4 * kThreads;

__device__ int4 four(const int* in, int n, int i) {
  if (i + 3 < n) return *reinterpret_cast<const int4*>(in + i);
  return {i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
          i + 2 < n ? in[i + 2] : 0, 0};
}

__device__ int block_scan(int value) {
  using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage memory;
  Scan(memory).InclusiveSum(value, value);
  return value;
}

__global__ void scan_tiles(int* out, const int* in, int n) {
  const int i = blockIdx.x * kTile + 4 * threadIdx.x;
  const int4 v = four(in, n, i);
  const int w = block_scan(v.x + v.y + v.z + v.w);
  const int z = w - v.w, y = z - v.z, x = y - v.y;
  if (i + 3 < n)
    *reinterpret_cast<int4*>(out + i) = {x, y, z, w};
  else
    for (int e = 0; e < 3; ++e)
      if (i + e < n) out[i + e] = e == 0 ? x : e == 1 ? y : z;
}

void scan(int* out, const int* in, int n) {
  const int tiles = (n + kTile - 1) / kTile;
  if (tiles > 0) scan_tiles<<<tiles, kThreads>>>(out, in, n);
}
