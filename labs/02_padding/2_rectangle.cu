// 02_padding/2_rectangle: where one word is not enough
//
// The tiles of `in` have 16 rows of 32 floats, their transposes in `out` 32
// rows of 16. A block has one thread for each element. A warp stores one row of
// the tile, but what it writes to `out` is *two* rows of 16, so it reads two
// columns of the tile at once. The tile has no padding yet. See which banks
// both fall into, and choose the smallest pitch that keeps them apart.
//
//   ./course grade 02_padding/2_rectangle    what is right, and what is not
//   ./course hint  02_padding/2_rectangle    one nudge more each time

constexpr int kRows = 16;  // of a tile of `in`
constexpr int kCols = 32;

//! [kernel]
__global__ void turn(float* out, const float* in) {
  // Your work begins here.
  // TODO: the padding.
  constexpr int kPad = 0;
  // Your work ends here.
  __shared__ float tile[kRows][kCols + kPad];

  const int y = threadIdx.y, x = threadIdx.x;
  const int first = blockIdx.x * kRows * kCols;
  const int i = y * kCols + x;  // in the tile and in its transpose
  tile[y][x] = in[first + i];
  __syncthreads();
  out[first + i] = tile[i % kRows][i / kRows];
}
//! [kernel]

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kCols, kRows);
  turn<<<tiles, block>>>(out, in);
}
