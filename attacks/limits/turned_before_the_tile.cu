// attack: turns the matrix by shuffles, then moves each element on by one lane through a tile
// against: 05_transpose/2_pad
// must: failed traffic: by shuffles

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
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
      const float got = __shfl_xor_sync(0xffffffff, upper ? value[r + side] : value[r], side);
      (upper ? value[r + side] : value[r]) = got;
    }
  }
#pragma unroll
  for (int r = 0; r < kTile; ++r) tile[r][(lane + 1) % kTile] = value[r];
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kTile; ++r)
    out[(blockIdx.x * kTile + r) * rows + blockIdx.y * kTile + (lane + 31) % kTile] = tile[r][lane];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), kTile>>>(out, in, rows, cols);
}
