// honest: each thread copies by cuda::memcpy_async, and a cuda::barrier tells

#include <cuda/barrier>

constexpr int kTile = 32;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void multiply(float* c, const float* a, const float* b, int m, int n,
                         int k) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0;
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier filled;
  if (x == 0 && y == 0) init(&filled, kTile * kTile);
  __syncthreads();
  for (int first = 0; first < k; first += kTile) {
    const bool in_a = row < m && first + x < k;
    const bool in_b = first + y < k && col < n;
    if (in_a)
      cuda::memcpy_async(&a_tile[y][x], a + row * k + first + x, sizeof(float),
                         filled);
    else
      a_tile[y][x] = 0;
    if (in_b)
      cuda::memcpy_async(&b_tile[y][x], b + (first + y) * n + col,
                         sizeof(float), filled);
    else
      b_tile[y][x] = 0;
    filled.arrive_and_wait();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();  // the next step overwrites what others may still read
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(c, a, b, m, n, k);
}
