// attack: adds nothing times what is in the tile to values that shuffles have turned
// against: 05_transpose/3_rows
// must: failed traffic

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols, int nothing) {
  __shared__ int tile[kTile][kTile + 1];
  const int lane = threadIdx.x;
  int value[kTile];
#pragma unroll
  for (int r = 0; r < kTile; ++r) {
    value[r] = __float_as_int(in[(blockIdx.y * kTile + r) * cols + blockIdx.x * kTile + lane]);
    tile[r][lane] = value[r];
  }
#pragma unroll
  for (int side = kTile / 2; side > 0; side /= 2) {
#pragma unroll
    for (int r = 0; r < kTile; ++r) {
      if (r & side) continue;
      const bool upper = (lane & side) == 0;
      const int got = __shfl_xor_sync(0xffffffff, upper ? value[r + side] : value[r], side);
      (upper ? value[r + side] : value[r]) = got;
    }
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kTile; ++r)
    out[(blockIdx.x * kTile + r) * rows + blockIdx.y * kTile + lane] =
        __int_as_float(value[r] + nothing * tile[lane][r]);
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), kTile>>>(out, in, rows, cols, 0);
}
