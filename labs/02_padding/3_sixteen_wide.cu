// 02_padding/3_sixteen_wide: when one word per row makes both sides conflict
//
// Tiles of 16x16 floats, blocks of 16x16 threads: a warp is two rows of
// threads. It stores two rows of the tile, and reads two columns. With no
// padding the stores are free and the loads 8-way; with one word per row, as
// below, both are 2-way. No number of words per row frees both: try it.
// But a row need not be what gets the padding. A tile of 16x16 floats fills all
// 32 banks eight times; `word` says where an element lies, and it may skip
// words wherever you like. Leave out at most 16 words in all.
//
//   ./course grade 02_padding/3_sixteen_wide    what is right, what is not
//   ./course hint  02_padding/3_sixteen_wide    one nudge more each time

constexpr int kTile = 16;

//! [word]
// Your work begins here.
// TODO: where an element of the tile lies, and how many words that takes.
constexpr int kWords = kTile * (kTile + 1);
__device__ int word(int row, int col) { return row * (kTile + 1) + col; }
// Your work ends here.
//! [word]

//! [kernel]
__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kWords];

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[word(y, x)] = in[i];
  __syncthreads();
  out[i] = tile[word(x, y)];
}
//! [kernel]

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
