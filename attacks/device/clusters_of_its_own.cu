// attack: asks for clusters that the launch does not have, and reads what another block has there
// against: 05_transpose/2_pad
// must: failed memory
// must: failed output, memory
// must: failed launch
// must: failed kernel
// must: not_measurable
// must: failed output

#include <cooperative_groups.h>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  auto cluster = cooperative_groups::this_cluster();
  tile[x][y] = *cluster.map_shared_rank(&tile[x][y], 7);
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
