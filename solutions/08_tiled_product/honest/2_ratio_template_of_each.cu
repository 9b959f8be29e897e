// honest: is a template of how many elements a thread has

constexpr int kSide = 16;
constexpr int kThreads = kSide * kSide;
constexpr int kEach = 8;
constexpr int kTile = kSide * kEach;

template <int kSquare>
__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float a_tile[kTile][kSide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;

  __shared__ float b_tile[kSide][kTile + kSide];
  float sum[kSquare][kSquare] = {};
  for (int first = 0; first < k; first += kSide) {
#pragma unroll
    for (int e = 0; e < kSquare; ++e) {
      const int r = row + e * kSide, s = col + e * kSide;
      const bool in_a = r < m && first + x < k, in_b = first + y < k && s < n;
      a_tile[y + e * kSide][x] = in_a ? a[r * k + first + x] : 0.0f;
      b_tile[y][x + e * kSide] = in_b ? b[(first + y) * n + s] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kSide; ++i) {
      float from_a[kSquare], from_b[kSquare];
#pragma unroll
      for (int e = 0; e < kSquare; ++e) {
        from_a[e] = a_tile[y + e * kSide][i];
        from_b[e] = b_tile[i][x + e * kSide];
      }
#pragma unroll
      for (int e = 0; e < kSquare; ++e)
#pragma unroll
        for (int f = 0; f < kSquare; ++f) sum[e][f] += from_a[e] * from_b[f];
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < kSquare; ++e)
#pragma unroll
    for (int f = 0; f < kSquare; ++f) {
      const int r = row + e * kSide, s = col + f * kSide;
      if (r < m && s < n) c[r * n + s] = sum[e][f];
    }
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 block(kSide, kSide);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<kEach><<<grid, block>>>(c, a, b, m, n, k);
}
