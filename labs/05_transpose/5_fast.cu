// 05_transpose/5_fast: as fast as memory allows
//
// `rows` and `cols` are multiples of 4 now, so every row begins on 16 bytes.
// Move everything by float4s: 16 bytes per lane, to registers, to the tile,
// from the tile, to `out`. A float4 lies along a row; who turns it? A thread
// with float4s of four rows, one below the other, has a square of 4 x 4 in its
// registers. The tile has to turn whole squares. `place` says where a float4 of
// the turned tile lies, so that eight lanes, which are served at a time, do not
// collide. You may change it, and any tile and any block will do.
//
//   ./course grade 05_transpose/5_fast    what is right, and what is not
//   ./course hint  05_transpose/5_fast    one nudge more each time

constexpr int kTile = 64;                // side of the tile in floats
constexpr int kSide = kTile / 4;         // and in float4s
constexpr int kThreads = kSide * kSide;  // a square of 4 x 4 floats each

//! [kernel]
// Float4 `i` of the turned tile's row `row`: one is left out after four rows.
__device__ int place(int row, int i) { return row * kSide + i + row / 4; }

__global__ void transpose_fast(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float4 tile[kTile * kSide + kTile / 4];
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;

  // Your work begins here.
  // TODO: this moves one float at a time; move squares, to their places.
  const int row = blockIdx.x * kTile + y, col = blockIdx.y * kTile + x;
  float* floats = reinterpret_cast<float*>(tile);
  for (int r = 0; r < kTile; r += kSide)
    for (int c = 0; c < kTile; c += kSide)
      if (row + r < rows && col + c < cols)
        floats[(y + r) * kTile + x + c] = in[(row + r) * cols + col + c];
  __syncthreads();

  const int out_row = blockIdx.y * kTile + y, out_col = blockIdx.x * kTile + x;
  for (int r = 0; r < kTile; r += kSide)
    for (int c = 0; c < kTile; c += kSide)
      if (out_row + r < cols && out_col + c < rows)
        out[(out_row + r) * rows + out_col + c] =
            floats[(x + c) * kTile + y + r];
  // Your work ends here.
}
//! [kernel]

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;  // a grid must not be empty
  // Blocks in turn go down `in`, and so along the rows of `out`: 2 % faster.
  const dim3 grid((rows + kTile - 1) / kTile, (cols + kTile - 1) / kTile);
  transpose_fast<<<grid, kThreads>>>(out, in, rows, cols);
}
