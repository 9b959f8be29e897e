// honest: prints what a thread found

#include <cstdio>

constexpr int kTile = 32;

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kTile][kTile + 1];

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[y][x] = in[i];
  if (x == 0 && y == 0 && blockIdx.x == 0) printf("first %f\n", in[0]);
  __syncthreads();
  out[i] = tile[x][y];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
