// honest: needs no padding: each row of banks is turned by two more

constexpr int kTile = 16;

constexpr int kWords = kTile * kTile;
__device__ int word(int row, int col) {
  const int i = row * kTile + col, banks = i / 32;
  return 32 * banks + (i + 2 * banks) % 32;
}

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kWords];

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[word(y, x)] = in[i];
  __syncthreads();
  out[i] = tile[word(x, y)];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
