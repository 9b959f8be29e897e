// wrong: conflicts: one word after every 32 leaves the columns 2-way

constexpr int kTile = 16;

constexpr int kBanks = 32, kPad = 1;
constexpr int kWords = kTile * kTile + kTile * kTile / kBanks * kPad;
__device__ int word(int row, int col) {
  const int i = row * kTile + col;
  return i + i / kBanks * kPad;
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
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
