// 05_transpose/7_batch: a blank page, and many matrices at once
//
// `in` has `count` matrices of `rows` x `cols` floats, one after another, and
// `out` becomes their transposes, of `cols` x `rows`, in the same order. All
// three are any numbers up to a million, 0 too: a few large matrices, or 70,000
// of 3 x 2. There is one launch for all of them.
//
// The page is blank, and all that this lab asked for still counts: sectors, the
// way through a tile, its banks, and the edges of each matrix.
//
//   ./course grade 05_transpose/7_batch    what is right, and what is not
//   ./course hint  05_transpose/7_batch    one nudge more each time

//! [kernel]
// Your work begins here.
constexpr int kTile = 32, kRows = 8;

// Blocks are numbered along the tiles of a matrix, and from matrix to matrix:
// a grid has far more of them along x than along y and z.
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int across = (cols + kTile - 1) / kTile;
  const int down = (rows + kTile - 1) / kTile;
  const int matrix = blockIdx.x / (across * down);
  const int top = blockIdx.x / across % down * kTile;
  const int left = blockIdx.x % across * kTile;
  const int x = threadIdx.x, first = matrix * rows * cols;

  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (top + y < rows && left + x < cols)
      tile[y][x] = in[first + (top + y) * cols + left + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (left + y < cols && top + x < rows)
      out[first + (left + y) * rows + top + x] = tile[x][y];
}

void transpose_all(float* out, const float* in, int count, int rows, int cols) {
  const int across = (cols + kTile - 1) / kTile;
  const int blocks = count * across * ((rows + kTile - 1) / kTile);
  if (blocks == 0) return;  // a grid must not be empty
  transpose_tile<<<blocks, dim3(kTile, kRows)>>>(out, in, rows, cols);
}
// Your work ends here.
//! [kernel]
