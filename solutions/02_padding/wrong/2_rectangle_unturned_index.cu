// wrong: memory: rows and columns of the transpose are mixed up

constexpr int kRows = 16;  // of a tile of `in`
constexpr int kCols = 32;

__global__ void turn(float* out, const float* in) {
  // A column's 16 words lie two banks apart; its neighbour fills the gaps.
  constexpr int kPad = 2;
  __shared__ float tile[kRows][kCols + kPad];

  const int y = threadIdx.y, x = threadIdx.x;
  const int first = blockIdx.x * kRows * kCols;
  const int i = y * kCols + x;  // in the tile and in its transpose
  tile[y][x] = in[first + i];
  __syncthreads();
  out[first + i] = tile[i % kCols][i / kCols];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kCols, kRows);
  turn<<<tiles, block>>>(out, in);
}
