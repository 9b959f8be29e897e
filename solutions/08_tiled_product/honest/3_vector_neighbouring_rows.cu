// honest: gives a thread eight rows side by side, and pads the tile of A

constexpr int kTile = 128, kStep = 32, kThreads = 256;
constexpr int kRuns = kStep / 4;

__device__ float4 four(const float* from, int rows, int cols, int row,
                       int col) {
  if (row >= rows || col >= cols) return make_float4(0, 0, 0, 0);
  return *reinterpret_cast<const float4*>(from + row * cols + col);
}

__global__ void __launch_bounds__(kThreads, 2)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float4 a_tile[kTile][kRuns + 1];
  __shared__ float4 b_tile[kStep][kTile / 4];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  float sum[8][8] = {};
  for (int first = 0; first < k; first += kStep) {
    for (int e = t; e < kTile * kRuns; e += kThreads) {
      const int row = e / kRuns, run = e % kRuns;
      a_tile[row][run] = four(a, m, k, top + row, first + 4 * run);
      b_tile[e / 32][e % 32] = four(b, k, n, first + e / 32, left + e % 32 * 4);
    }
    __syncthreads();
#pragma unroll
    for (int run = 0; run < kRuns; ++run) {
      float4 from_a[8];
      for (int e = 0; e < 8; ++e) from_a[e] = a_tile[8 * y + e][run];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float4 p = b_tile[4 * run + i][x],
                     q = b_tile[4 * run + i][x + 16];
        const float from_b[8] = {p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w};
#pragma unroll
        for (int e = 0; e < 8; ++e)
#pragma unroll
          for (int f = 0; f < 8; ++f)
            sum[e][f] += (&from_a[e].x)[i] * from_b[f];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int row = top + 8 * y + e, col = left + 4 * x;
    const float* const s = sum[e];
    float4* const to = reinterpret_cast<float4*>(c + row * n + col);
    if (row < m && col < n) to[0] = {s[0], s[1], s[2], s[3]};
    if (row < m && col + 64 < n) to[16] = {s[4], s[5], s[6], s[7]};
  }
}

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, kThreads>>>(c, a, b, m, n, k);
}
