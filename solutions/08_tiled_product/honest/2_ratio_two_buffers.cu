// honest: fills the other buffer while it multiplies, and one of zeros where k
// is 0

constexpr int kSide = 16;  // of the block, and the step along k
constexpr int kThreads = kSide * kSide;
constexpr int kEach = 8;
constexpr int kTile = kSide * kEach;

__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float a_tile[kTile][kSide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;

  __shared__ float b_tile[2][kSide][kTile + kSide], a_more[kTile][kSide];
  float sum[kEach][kEach] = {};
  const auto load = [&](int s, int first) {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const int r = row + e * kSide, q = col + e * kSide;
      (s ? a_more : a_tile)[y + e * kSide][x] =
          r < m && first + x < k ? a[r * k + first + x] : 0.0f;
      b_tile[s][y][x + e * kSide] =
          first + y < k && q < n ? b[(first + y) * n + q] : 0.0f;
    }
  };
  load(0, 0);
  __syncthreads();
  for (int first = 0, s = 0; first < k; first += kSide, s ^= 1) {
    if (first + kSide < k) load(s ^ 1, first + kSide);
#pragma unroll
    for (int i = 0; i < kSide; ++i) {
      float of_b[kEach];
#pragma unroll
      for (int e = 0; e < kEach; ++e) of_b[e] = b_tile[s][i][x + e * kSide];
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const float of_a = (s ? a_more : a_tile)[y + e * kSide][i];
#pragma unroll
        for (int f = 0; f < kEach; ++f) sum[e][f] += of_a * of_b[f];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < kEach; ++e)
#pragma unroll
    for (int f = 0; f < kEach; ++f)
      if (row + e * kSide < m && col + f * kSide < n)
        c[(row + e * kSide) * n + col + f * kSide] = sum[e][f];
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  const dim3 block(kSide, kSide);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(c, a, b, m, n, k);
}
