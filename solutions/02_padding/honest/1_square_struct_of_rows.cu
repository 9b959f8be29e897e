// honest: pads by a member of a struct

constexpr int kTile = 32;

struct Row {
  float of[kTile];
  float unused;
};

__global__ void turn(float* out, const float* in) {
  __shared__ Row tile[kTile];

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[y].of[x] = in[i];
  __syncthreads();
  out[i] = tile[x].of[y];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
