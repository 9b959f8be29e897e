// 01_banks/2_row_column: the same tile, read along a row and down a column
//
// `in` holds `tiles` tiles of 32x32 floats, one after the other, each stored
// row by row. A block of 32x32 threads takes one tile through shared memory.
// `row_row` stores the tile by rows and reads it back by rows: out = in.
// `row_column` stores it by rows and lets every thread read the mirrored
// element: each tile of `out` is the transpose of the tile of `in`.
//
// Write both, and say before you grade what each costs: for one tile, row_row
// has no conflicts, and row_column has exactly 992, all of them on loads. A
// warp is the 32 threads with the same threadIdx.y.
//
//   ./course grade 01_banks/2_row_column    what is right, and what is not
//   ./course hint  01_banks/2_row_column    one nudge more each time

constexpr int kTile = 32;

//! [row_row]
__global__ void row_row(float* out, const float* in) {
  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  // Your work begins here.
  __shared__ float tile[kTile][kTile];
  tile[y][x] = in[i];
  __syncthreads();
  out[i] = tile[y][x];
  // Your work ends here.
}
//! [row_row]

//! [row_column]
__global__ void row_column(float* out, const float* in) {
  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  // Your work begins here.
  __shared__ float tile[kTile][kTile];
  tile[y][x] = in[i];
  __syncthreads();
  // Lane x reads word 32 * x + y: 32 words, and all are in bank y.
  out[i] = tile[x][y];
  // Your work ends here.
}
//! [row_column]

// The first half of `out` is written by row_row, the second by row_column.
void both_ways(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  row_row<<<tiles, block>>>(out, in);
  row_column<<<tiles, block>>>(out + tiles * kTile * kTile, in);
}
