// wrong: coalescing, traffic: turned while reading global memory

constexpr int kTile = 32;

__global__ void turn(float* out, const float* in) {
  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  out[i] = in[(blockIdx.x * kTile + x) * kTile + y];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
