// honest: each block fills the tile of the other block of its cluster

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const auto cluster = cg::this_cluster();
  const int other = cluster.num_blocks() - 1 - cluster.block_rank();
  const int x = threadIdx.x, y = threadIdx.y;
  const int block_x = blockIdx.x - cluster.block_rank() + other;
  cluster.sync();
  float* const there = cluster.map_shared_rank(&tile[0][0], other);
  there[y * (kTile + 1) + x] =
      in[(blockIdx.y * kTile + y) * cols + block_x * kTile + x];
  cluster.sync();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  cudaLaunchAttribute pairs = {};
  pairs.id = cudaLaunchAttributeClusterDimension;
  pairs.val.clusterDim.x = cols / kTile % 2 ? 1 : 2;
  pairs.val.clusterDim.y = pairs.val.clusterDim.z = 1;
  cudaLaunchConfig_t launch = {};
  launch.gridDim = dim3(cols / kTile, rows / kTile);
  launch.blockDim = dim3(kTile, kTile);
  launch.attrs = &pairs;
  launch.numAttrs = 1;
  cudaLaunchKernelEx(&launch, transpose_tile, out, in, rows, cols);
}
