// honest: needs no padding: exclusive or with four times the row

constexpr int kRows = 8, kCols = 32, kTile = kRows * kCols;

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kRows][kCols];
  const int t = threadIdx.x, first = blockIdx.x * kTile;
  tile[t / kCols][t % kCols ^ 4 * (t / kCols)] = in[first + t];
  __syncthreads();
  out[first + t] = tile[t % kRows][t / kRows ^ 4 * (t % kRows)];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles > 0) turn<<<tiles, kTile>>>(out, in);
}
