// 05_transpose/3_rows: four rows of the tile for each thread
//
// The tile stays 32x32 and padded, but a block has only 32x8 threads: each has
// four elements to move, so four loads are under way at once, and the index
// arithmetic is paid once for all four. Both sides are multiples of 32.
// The kernel below still moves one element per thread, which leaves three
// quarters of `out` unwritten. Let each thread walk down the tile, kRows rows
// at a time.
//
//   ./course grade 05_transpose/3_rows    what is right, what is not, and where
//   ./course hint  05_transpose/3_rows    one nudge more each time

constexpr int kTile = 32;  // side of the tile
constexpr int kRows = 8;   // rows of threads in a block

//! [kernel]
__global__ void transpose_rows(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;

  // Your work begins here.
  // TODO: every kRows-th row of the tile, on the way in and on the way out.
  tile[threadIdx.y][threadIdx.x] = in[in_row * cols + in_col];
  __syncthreads();
  out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
  // Your work ends here.
}
//! [kernel]

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_rows<<<grid, block>>>(out, in, rows, cols);
}
