// honest: has a block of four tiles, the last of which may not exist

constexpr int kRows = 8, kCols = 32, kTile = kRows * kCols;

__global__ void turn(float* out, const float* in, int tiles) {
  __shared__ float tiles_[4][kRows][kCols + 4];
  const int t = threadIdx.x, number = 4 * blockIdx.x + threadIdx.y,
            first = number * kTile;
  auto& tile = tiles_[threadIdx.y];
  if (number < tiles) tile[t / kCols][t % kCols] = in[first + t];
  __syncthreads();
  if (number < tiles) out[first + t] = tile[t % kRows][t / kRows];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles > 0) turn<<<(tiles + 3) / 4, dim3(kTile, 4)>>>(out, in, tiles);
}
