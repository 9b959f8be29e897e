// honest: has a flat tile, and its pitch from a macro

constexpr int kTile = 32;
#define PITCH (kTile | 1)

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kTile * PITCH];

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[y * PITCH + x] = in[i];
  __syncthreads();
  out[i] = tile[x * PITCH + y];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
