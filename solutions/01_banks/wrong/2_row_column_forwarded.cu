// wrong: traffic: row_row reads what it stored, with no barrier to oblige it

constexpr int kTile = 32;

__global__ void row_row(float* out, const float* in) {
  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  __shared__ float tile[kTile][kTile];
  tile[y][x] = in[i];
  out[i] = tile[y][x];
}

__global__ void row_column(float* out, const float* in) {
  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  __shared__ float tile[kTile][kTile];
  tile[y][x] = in[i];
  __syncthreads();
  // Lane x reads word 32 * x + y: 32 words, and all are in bank y.
  out[i] = tile[x][y];
}

// The first half of `out` is written by row_row, the second by row_column.
void both_ways(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  row_row<<<tiles, block>>>(out, in);
  row_column<<<tiles, block>>>(out + tiles * kTile * kTile, in);
}
