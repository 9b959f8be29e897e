// honest: fills its tiles by a function that takes references to arrays

constexpr int kTile = 32;

using Tile = float[kTile][kTile];

__device__ void fill(Tile& tile, const float* __restrict__ from, int rows,
                     int cols, int row, int col) {
  const bool inside = row < rows && col < cols;
  tile[threadIdx.y][threadIdx.x] =
      inside ? __ldg(from + size_t(row) * cols + col) : 0;
}

__global__ void multiply(float* c, const float* a, const float* b, int m, int n,
                         int k) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0;
  __shared__ Tile a_tile, b_tile;
  for (int first = 0; first < k; first += kTile) {
    fill(a_tile, a, m, k, row, first + x);
    fill(b_tile, b, k, n, first + y, col);
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
