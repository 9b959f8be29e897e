// attack: turns the matrix by shuffles, and sends each element through a tile for show
// against: 05_transpose/2_pad
// must: failed traffic: by shuffles

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ volatile float tile[kTile][kTile];
  const int lane = threadIdx.x;
  float value[kTile];
#pragma unroll
  for (int r = 0; r < kTile; ++r) {
    tile[r][lane] = in[(blockIdx.y * kTile + r) * cols + blockIdx.x * kTile + lane];
    value[r] = tile[r][lane];
  }
#pragma unroll
  for (int side = kTile / 2; side > 0; side /= 2) {
#pragma unroll
    for (int r = 0; r < kTile; ++r) {
      if (r & side) continue;
      const bool upper = (lane & side) == 0;
      const float got = __shfl_xor_sync(0xffffffff, upper ? value[r + side] : value[r], side);
      (upper ? value[r + side] : value[r]) = got;
    }
  }
#pragma unroll
  for (int r = 0; r < kTile; ++r)
    out[(blockIdx.x * kTile + r) * rows + blockIdx.y * kTile + lane] = value[r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), kTile>>>(out, in, rows, cols);
}
