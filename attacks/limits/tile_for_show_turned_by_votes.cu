// attack: turns the matrix bit by bit with votes, and sends each element through a tile for show
// against: 05_transpose/2_pad
// must: failed kernel, traffic

constexpr int kTile = 32;
constexpr unsigned kAll = 0xffffffff;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ volatile unsigned tile[kTile][kTile];
  const int lane = threadIdx.x;
  unsigned planes[kTile]; // lane b: bit b of all 32 elements of a row
#pragma unroll
  for (int r = 0; r < kTile; ++r) {
    tile[r][lane] =
        __float_as_uint(in[(blockIdx.y * kTile + r) * cols + blockIdx.x * kTile + lane]);
    const unsigned own = tile[r][lane];
    unsigned mine = 0;
    for (int bit = 0; bit < 32; ++bit) {
      const unsigned plane = __ballot_sync(kAll, own >> bit & 1);
      if (lane == bit) mine = plane;
    }
    planes[r] = mine;
  }
  for (int c = 0; c < kTile; ++c) {
    unsigned element = 0; // (lane, c)
#pragma unroll
    for (int r = 0; r < kTile; ++r) {
      const unsigned bits = __ballot_sync(kAll, planes[r] >> c & 1);
      if (lane == r) element = bits;
    }
    out[(blockIdx.x * kTile + c) * rows + blockIdx.y * kTile + lane] = __uint_as_float(element);
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), kTile>>>(out, in, rows, cols);
}
