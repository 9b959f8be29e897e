// honest: has two buffers, and one barrier per step

constexpr int kTile = 32;

__global__ void multiply(float* c, const float* a, const float* b, int m, int n,
                         int k) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0;
  __shared__ float both[2][2][kTile][kTile];
  for (int first = 0; first < k; first += kTile) {
    auto& a_tile = both[first / kTile % 2][0];
    auto& b_tile = both[first / kTile % 2][1];
    const bool in_a = row < m && first + x < k;
    const bool in_b = first + y < k && col < n;
    a_tile[y][x] = in_a ? a[row * k + first + x] : 0.0f;
    b_tile[y][x] = in_b ? b[(first + y) * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += a_tile[y][i] * b_tile[i][x];
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(c, a, b, m, n, k);
}
