// 03_dynamic_smem/1_dynamic_tile: a tile whose shape is known at launch
//
// The tiles of `in` have `rows` rows of 32 floats, their transposes in `out` 32
// rows of `rows`; `rows` is 1, 2, 4, 8, 16 or 32. A block has one thread for
// each element. The kernel below is right, but its tile is always the largest,
// and has no padding: a row needs one word of it for 32 rows, two for 16, four
// for 8. Declare the tile without a size, give it the pitch that `rows` asks
// for, and say at launch how many bytes that is. No more bytes than the tile
// and its padding, at most 32 words.
//
//   ./course grade 03_dynamic_smem/1_dynamic_tile    what is right, what is not
//   ./course hint  03_dynamic_smem/1_dynamic_tile    one nudge more each time

constexpr int kCols = 32;

//! [kernel]
__global__ void turn(float* out, const float* in) {
  const int rows = blockDim.y;
  // Your work begins here.
  // TODO: a tile of a size that the launch decides, and its pitch.
  constexpr int pitch = kCols;
  __shared__ float tile[kCols * pitch];
  // Your work ends here.

  const int y = threadIdx.y, x = threadIdx.x;
  const int first = blockIdx.x * rows * kCols;
  const int i = y * kCols + x;  // in the tile and in its transpose
  tile[y * pitch + x] = in[first + i];
  __syncthreads();
  out[first + i] = tile[i % rows * pitch + i / rows];
}
//! [kernel]

void turn_tiles(float* out, const float* in, int tiles, int rows) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kCols, rows);
  // Your work begins here.
  // TODO: the bytes of dynamic shared memory, the launch's third argument.
  turn<<<tiles, block>>>(out, in);
  // Your work ends here.
}
