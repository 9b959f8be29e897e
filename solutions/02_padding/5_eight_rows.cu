// 02_padding/5_eight_rows: a blank page, and tiles of eight rows
//
// `in` holds tiles, one after another, each with 8 rows of 32 floats. Turn
// each: `out` holds their transposes, 32 rows of 8, one after another. There
// may be no tile at all. The page is blank. As in exercise 2, read and write
// in order, and turn by a tile in shared memory, where neither side conflicts.
// A block may work on one tile, or on up to four.
//
//   ./course grade 02_padding/5_eight_rows    what is right, and what is not
//   ./course hint  02_padding/5_eight_rows    one nudge more each time

//! [kernel]
// Your work begins here.
constexpr int kRows = 8, kCols = 32, kTile = kRows * kCols;

__global__ void turn(float* out, const float* in) {
  // A column's eight words lie four banks apart; three more fill the gaps.
  __shared__ float tile[kRows][kCols + 4];
  const int t = threadIdx.x, first = blockIdx.x * kTile;
  tile[t / kCols][t % kCols] = in[first + t];
  __syncthreads();
  out[first + t] = tile[t % kRows][t / kRows];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles > 0) turn<<<tiles, kTile>>>(out, in);
}
// Your work ends here.
//! [kernel]
