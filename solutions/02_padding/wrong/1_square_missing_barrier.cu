// wrong: output, memory: columns are read before other warps wrote them

constexpr int kTile = 32;

__global__ void turn(float* out, const float* in) {
  // Each row starts one bank further on than the row above.
  __shared__ float tile[kTile][kTile + 1];

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[y][x] = in[i];
  out[i] = tile[x][y];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
