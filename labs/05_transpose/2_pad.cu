// 05_transpose/2_pad: a transpose without bank conflicts
//
// `out` becomes the transpose of the `rows` x `cols` matrix `in`; both are
// row-major, both sides are multiples of 32. The kernel below is right, and its
// global accesses are coalesced. It is slow all the same: on one line, 32 lanes
// queue for one bank. Find the line, and give the tile a shape in which they
// do not.
//
//   ./course grade 05_transpose/2_pad    what is right, what is not, and where
//   ./course hint  05_transpose/2_pad    one nudge more each time

constexpr int kTile = 32;

//! [kernel]
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  // Your work begins here.
  // TODO: the shape of the tile.
  __shared__ float tile[kTile][kTile];
  // Your work ends here.

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[in_row * cols + in_col];
  __syncthreads();

  // The block's tile lands mirrored, so block indices swap; threadIdx.x still
  // walks along a row of `out`, which keeps the stores coalesced.
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
//! [kernel]

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kTile);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_tile<<<grid, block>>>(out, in, rows, cols);
}
