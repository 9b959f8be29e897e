// 02_padding/1_square: one word that frees a column
//
// `in` holds `tiles` tiles of 32x32 floats, one after the other, each stored
// row by row. Each tile of `out` is the transpose of the tile of `in`. The
// kernel below is right, and reads a column of the tile: 32 words that are 32
// apart, all in one bank. Change the tile's shape, and nothing else, so that
// the column falls into 32 banks; at most one word per row.
//
//   ./course grade 02_padding/1_square    what is right, what is not, and where
//   ./course hint  02_padding/1_square    one nudge more each time

constexpr int kTile = 32;

//! [kernel]
__global__ void turn(float* out, const float* in) {
  // Your work begins here.
  // Each row starts one bank further on than the row above.
  __shared__ float tile[kTile][kTile + 1];
  // Your work ends here.

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[y][x] = in[i];
  __syncthreads();
  out[i] = tile[x][y];
}
//! [kernel]

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
