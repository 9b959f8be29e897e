// honest: waits by a group, which also numbers the threads

#include <cooperative_groups.h>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const auto block = cooperative_groups::this_thread_block();
  const unsigned at = block.thread_rank();
  tile[at / kTile][at % kTile] =
      in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  block.sync();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(
      out, in, rows, cols);
}
