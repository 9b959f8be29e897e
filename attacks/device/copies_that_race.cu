// attack: copies from two places into one, asynchronously
// against: 05_transpose/2_pad
// must: failed memory, coalescing, traffic: a race

constexpr int kTile = 32;

#include <cuda_pipeline.h>

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const float* const from = &in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile];
  __pipeline_memcpy_async(&tile[y][x ^ 1], from + x, sizeof(float));
  __pipeline_memcpy_async(&tile[y][x], from + x, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
