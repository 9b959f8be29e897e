// honest: tiles filled by asynchronous copies, in a kernel with the tiles in
// one array
#include <cuda_pipeline.h>

constexpr int kTile = 32;

__global__ void multiply(float* c, const float* a, const float* b, int m, int n,
                         int k) {
  __shared__ float tiles[2][kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const bool in_a = row < m && first + x < k, in_b = first + y < k && col < n;
    __pipeline_memcpy_async(&tiles[0][y][x], in_a ? a + row * k + first + x : a,
                            4, in_a ? 0 : 4);
    __pipeline_memcpy_async(
        &tiles[1][y][x], in_b ? b + (first + y) * n + col : b, 4, in_b ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < kTile; ++i)
      sum = fmaf(tiles[0][y][i], tiles[1][i][x], sum);
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, dim3(kTile, kTile)>>>(c, a, b, m, n, k);
}
