// honest: fills its tiles by asynchronous copies, with zeros outside

#include <cuda_pipeline.h>

constexpr int kTile = 32;

__global__ void multiply(float* c, const float* a, const float* b, int m, int n,
                         int k) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0;
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  for (int first = 0; first < k; first += kTile) {
    const bool in_a = row < m && first + x < k;
    const bool in_b = first + y < k && col < n;
    __pipeline_memcpy_async(&a_tile[y][x], a + row * k + first + x, 4,
                            in_a ? 0 : 4);
    __pipeline_memcpy_async(&b_tile[y][x], b + (first + y) * n + col, 4,
                            in_b ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(c, a, b, m, n, k);
}
