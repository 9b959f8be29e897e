// honest: reads the tile everywhere and chooses afterwards; looks for NaNs on
// the way

#include <cstdio>

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, top = blockIdx.y * kTile,
            left = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const bool inside = top + y < rows && left + x < cols;
    const float value = in[inside ? (top + y) * cols + left + x : 0];
    if (value != value) printf("a NaN\n");
    tile[y][x] = inside ? value : 0.0f;
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const float value = tile[x][y];
    if (left + y < cols && top + x < rows)
      out[(left + y) * rows + top + x] = value;
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_any<<<grid, dim3(kTile, kRows)>>>(out, in, rows, cols);
}
