// honest: pairs of blocks as clusters, which are not used

constexpr int kTile = 32;

//! [kernel]
__global__ void turn(float* out, const float* in) {
  // Your work begins here.
  // Each row starts one bank further on than the row above.
  __shared__ float tile[kTile][kTile + 1];
  // Your work ends here.

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[y][x] = in[i];
  __syncthreads();
  out[i] = tile[x][y];
}
//! [kernel]

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  cudaLaunchConfig_t c = {};
  c.gridDim = tiles;
  c.blockDim = block;
  cudaLaunchAttribute a;
  a.id = cudaLaunchAttributeClusterDimension;
  a.val.clusterDim.x = tiles % 2 ? 1 : 2;
  a.val.clusterDim.y = a.val.clusterDim.z = 1;
  c.attrs = &a;
  c.numAttrs = 1;
  cudaLaunchKernelEx(&c, turn, out, in);
}
