// attack: prints one number, as wide as a gigabyte
// against: 05_transpose/2_pad
// must: passed
// must: failed output
// must: not_measurable
// must: failed output, memory
// must: failed coalescing

#include <cstdio>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  if (x + y == 0) printf("%1000000000d %.999999999f %*d\n", x, 1.0, 1000000000, y);
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
