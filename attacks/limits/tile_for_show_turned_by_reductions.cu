// attack: hands every element to its new lane by a reduction to which the others bring nothing
// against: 05_transpose/2_pad
// must: failed traffic: by votes, matches or reductions

constexpr int kTile = 32;
constexpr unsigned kAll = 0xffffffff;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ volatile unsigned tile[kTile][kTile];
  const int lane = threadIdx.x;
  unsigned turned[kTile];
#pragma unroll
  for (int r = 0; r < kTile; ++r) {
    tile[r][lane] =
        __float_as_uint(in[(blockIdx.y * kTile + r) * cols + blockIdx.x * kTile + lane]);
    const unsigned own = tile[r][lane];
#pragma unroll
    for (int c = 0; c < kTile; ++c) {
      const unsigned element = __reduce_or_sync(kAll, lane == c ? own : 0u); // (r, c)
      if (lane == r) turned[c] = element;
    }
  }
#pragma unroll
  for (int c = 0; c < kTile; ++c)
    out[(blockIdx.x * kTile + c) * rows + blockIdx.y * kTile + lane] = __uint_as_float(turned[c]);
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), kTile>>>(out, in, rows, cols);
}
