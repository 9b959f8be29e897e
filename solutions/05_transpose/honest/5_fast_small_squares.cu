// honest: turns squares of four by four in registers, and keeps the tile as
// floats

constexpr int kSide = 8, kTile = 4 * kSide, kPitch = kTile + 4;

__global__ void transpose_fast(float* out, const float* in, int rows,
                               int cols) {
  __shared__ __align__(16) float tile[kTile][kPitch];
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  float4 a[4];
  if (top + 4 * y < rows && left + 4 * x < cols) {
#pragma unroll
    for (int r = 0; r < 4; ++r)
      a[r] = *reinterpret_cast<const float4*>(in + (top + 4 * y + r) * cols +
                                              left + 4 * x);
#pragma unroll
    for (int c = 0; c < 4; ++c)
      *reinterpret_cast<float4*>(&tile[4 * x + c][4 * (y ^ x)]) = {
          (&a[0].x)[c], (&a[1].x)[c], (&a[2].x)[c], (&a[3].x)[c]};
  }
  __syncthreads();
  for (int r = y; r < kTile; r += kSide)
    if (left + r < cols && top + 4 * x < rows)
      *reinterpret_cast<float4*>(out + (left + r) * rows + top + 4 * x) =
          *reinterpret_cast<const float4*>(&tile[r][4 * (x ^ (r / 4))]);
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_fast<<<grid, kSide * kSide>>>(out, in, rows, cols);
}
