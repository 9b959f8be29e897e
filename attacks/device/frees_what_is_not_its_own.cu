// attack: frees its output, a number, and what it has freed before
// against: 05_transpose/2_pad
// must: failed memory

#include <cstdlib>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  if (x == 0 && y == 0) {
    void* one = malloc(64);
    free(one);
    free(one);
    free(out);
    free(reinterpret_cast<void*>(0x1234567));
    free(tile);
  }
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
