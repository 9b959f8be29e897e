// wrong: coalescing: whole sectors, but tiles go through registers and shuffles

constexpr int kTile = 32;

// One warp a tile: lane l holds column l in `value`, and swaps blocks of ever
// smaller sides with the lane across the diagonal.
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  const int lane = threadIdx.x;
  float value[kTile];
#pragma unroll
  for (int r = 0; r < kTile; ++r)
    value[r] = in[(blockIdx.y * kTile + r) * cols + blockIdx.x * kTile + lane];

#pragma unroll
  for (int side = kTile / 2; side > 0; side /= 2) {
#pragma unroll
    for (int r = 0; r < kTile; ++r) {
      if (r & side) continue;
      const bool upper = (lane & side) == 0;
      const float sent = upper ? value[r + side] : value[r];
      const float got = __shfl_xor_sync(0xffffffff, sent, side);
      if (upper)
        value[r + side] = got;
      else
        value[r] = got;
    }
  }

#pragma unroll
  for (int r = 0; r < kTile; ++r)
    out[(blockIdx.x * kTile + r) * rows + blockIdx.y * kTile + lane] = value[r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_tile<<<grid, kTile>>>(out, in, rows, cols);
}
