// honest: has 64 threads, each with four elements that are 64 apart

constexpr int kRows = 8, kCols = 32, kTile = kRows * kCols;

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kRows][kCols + 4];
  const int first = blockIdx.x * kTile;
  for (int t = threadIdx.x; t < kTile; t += 64)
    tile[t / kCols][t % kCols] = in[first + t];
  __syncthreads();
  for (int t = threadIdx.x; t < kTile; t += 64)
    out[first + t] = tile[t % kRows][t / kRows];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles > 0) turn<<<tiles, 64>>>(out, in);
}
