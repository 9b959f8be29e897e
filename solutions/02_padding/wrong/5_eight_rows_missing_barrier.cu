// wrong: output, memory: columns are read before other warps wrote them

constexpr int kRows = 8, kCols = 32, kTile = kRows * kCols;

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kRows][kCols + 4];
  const int t = threadIdx.x, first = blockIdx.x * kTile;
  tile[t / kCols][t % kCols] = in[first + t];
  out[first + t] = tile[t % kRows][t / kRows];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles > 0) turn<<<tiles, kTile>>>(out, in);
}
