// 05_transpose/4_any_shape: a matrix that no tile divides
//
// `rows` and `cols` are any numbers up to a million: 1 x 999, two primes, or 0.
// The tiles at the right and at the bottom hang over the edge. Launch enough
// blocks to cover the matrix, and let no thread read or write outside it.
// Mind the barrier: every thread of a block has to reach it, those over the
// edge too. And mind which side is the edge when the tile is turned.
//
//   ./course grade 05_transpose/4_any_shape    what is right, and what is not
//   ./course hint  05_transpose/4_any_shape    one nudge more each time

constexpr int kTile = 32;  // side of the tile
constexpr int kRows = 8;   // rows of threads in a block

//! [kernel]
__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];

  // Your work begins here.
  // TODO: this is exercise 3. It is right where 32 divides both sides.
  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  for (int r = 0; r < kTile; r += kRows)
    tile[threadIdx.y + r][threadIdx.x] = in[(in_row + r) * cols + in_col];
  __syncthreads();

  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  for (int r = 0; r < kTile; r += kRows)
    out[(out_row + r) * rows + out_col] = tile[threadIdx.x][threadIdx.y + r];
  // Your work ends here.
}
//! [kernel]

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  // Your work begins here.
  // TODO: blocks enough to cover the edges; none at all for an empty matrix.
  const dim3 grid(cols / kTile, rows / kTile);
  // Your work ends here.
  transpose_any<<<grid, block>>>(out, in, rows, cols);
}
