// 05_transpose/1_tile: a transpose that reads and writes whole sectors
//
// `out` becomes the transpose of the `rows` x `cols` matrix `in`; both are
// row-major, both sides are multiples of 32. The kernel below is right. It
// reads well: 32 lanes read 32 neighbouring floats, four sectors of 32 bytes.
// But they write 32 floats that lie `rows` apart, and each lands in a sector of
// its own. Carry every 32x32 tile through shared memory, so that the warps that
// read rows of `in` also write rows of `out`. (Conflicts may wait: they are
// exercise 2.)
//
//   ./course grade 05_transpose/1_tile    what is right, what is not, and where
//   ./course hint  05_transpose/1_tile    one nudge more each time

constexpr int kTile = 32;

//! [kernel]
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  // Your work begins here.
  __shared__ float tile[kTile][kTile];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[in_row * cols + in_col];
  __syncthreads();

  // The block's tile lands mirrored, so block indices swap; threadIdx.x still
  // walks along a row of `out`.
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
  // Your work ends here.
}
//! [kernel]

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kTile);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_tile<<<grid, block>>>(out, in, rows, cols);
}
