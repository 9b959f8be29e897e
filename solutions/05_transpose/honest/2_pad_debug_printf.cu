// honest: prints from one thread of the grid, and asserts

#include <cassert>
#include <cstdio>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  if (blockIdx.x == 0 && blockIdx.y == 0 && x == 1 && y == 0)
    printf("tile[0][1] is %f of %d columns\n", tile[y][x], cols);
  assert(rows % kTile == 0);
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(
      out, in, rows, cols);
}
