// honest: moves each row on by three more, the other way

constexpr int kTile = 32;

__device__ unsigned word(unsigned row, unsigned col) {
  return row * kTile | ((col - 3 * row) & 31u);
}

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kTile * kTile];

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
