// honest: the tile is as in `in`; squares are turned when they leave it

constexpr int kTile = 64, kSide = kTile / 4, kThreads = kSide * kSide;
// The tile is as in `in`; a thread takes a square of 4 x 4 out of it, and turns
// it.
__device__ __forceinline__ int place(int row, int i) {
  return row * kSide + ((i + row / 4) & (kSide - 1));
}
__device__ float4 load4(const float* p) {
  return __ldg(reinterpret_cast<const float4*>(p));
}

__global__ void __launch_bounds__(kThreads)
    transpose_fast(float* __restrict__ out, const float* __restrict__ in,
                   int rows, int cols) {
  __shared__ float4 tile[kTile * kSide];
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  const int top = blockIdx.x * kTile, left = blockIdx.y * kTile;
  if (left + 4 * x < cols)
#pragma unroll
    for (int r = 0; r < kTile; r += kSide)
      if (top + r + y < rows)
        tile[place(r + y, x)] = load4(in + (top + r + y) * cols + left + 4 * x);
  __syncthreads();
  if (top + 4 * x >= rows || left + 4 * y >= cols) return;
  float4 a[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) a[k] = tile[place(4 * x + k, y)];
  float4* to =
      reinterpret_cast<float4*>(out + (left + 4 * y) * rows + top + 4 * x);
  const int pitch = rows / 4;
  to[0] = make_float4(a[0].x, a[1].x, a[2].x, a[3].x);
  to[pitch] = make_float4(a[0].y, a[1].y, a[2].y, a[3].y);
  to[2 * pitch] = make_float4(a[0].z, a[1].z, a[2].z, a[3].z);
  to[3 * pitch] = make_float4(a[0].w, a[1].w, a[2].w, a[3].w);
}
void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((rows + kTile - 1) / kTile, (cols + kTile - 1) / kTile);
  transpose_fast<<<grid, kThreads>>>(out, in, rows, cols);
}
