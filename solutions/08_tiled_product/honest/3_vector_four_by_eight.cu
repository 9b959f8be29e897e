// honest: warps of 4 x 8 threads

// A warp has 4 x 8 threads: rows of A 32 apart by fours, runs of B eight lanes
// side by side.
constexpr int kTile = 128, kStep = 32, kThreads = 256, kRuns = kStep / 4;
template <class T>
__device__ float part(const T& v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}
__device__ float4 load(const float* p, bool inside) {
  return inside ? __ldg(reinterpret_cast<const float4*>(p))
                : float4{0, 0, 0, 0};
}
__global__ void __launch_bounds__(kThreads, 2)
    multiply(float* __restrict__ c, const float* __restrict__ a,
             const float* __restrict__ b, int m, int n, int k) {
  // A's rows a run further apart: four rows at one run are in different banks.
  __shared__ float4 of_a[kTile][kRuns + 1];
  __shared__ float4 of_b[kStep][kTile / 4];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int y = warp / 2 * 32 + lane / 8,
            x = warp % 2 * 16 + lane % 8;  // first row, first run
  float sum[8][8] = {};
  for (int first = 0; first < k; first += kStep) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int i = t + e * kThreads;
      const int row = i / kRuns, run = i % kRuns;
      of_a[row][run] = load(a + (top + row) * k + first + 4 * run,
                            top + row < m && first + 4 * run < k);
      const int down = i / 32, right = i % 32;
      of_b[down][right] = load(b + (first + down) * n + left + 4 * right,
                               first + down < k && left + 4 * right < n);
    }
    __syncthreads();
#pragma unroll 1
    for (int run = 0; run < kRuns; ++run) {
      float4 p[8];
#pragma unroll
      for (int e = 0; e < 8; ++e) p[e] = of_a[y + 4 * e][run];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float4 q = of_b[4 * run + i][x], r = of_b[4 * run + i][x + 8];
#pragma unroll
        for (int e = 0; e < 8; ++e)
#pragma unroll
          for (int f = 0; f < 4; ++f) {
            sum[e][f] += part(p[e], i) * part(q, f);
            sum[e][f + 4] += part(p[e], i) * part(r, f);
          }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < 8; ++e)
#pragma unroll
    for (int f = 0; f < 2; ++f) {
      const int row = top + y + 4 * e, col = left + 4 * (x + 8 * f);
      if (row < m && col < n)
        *reinterpret_cast<float4*>(c + row * n + col) = {
            sum[e][4 * f], sum[e][4 * f + 1], sum[e][4 * f + 2],
            sum[e][4 * f + 3]};
    }
}
void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<dim3((n + kTile - 1) / kTile, (m + kTile - 1) / kTile),
             kThreads>>>(c, a, b, m, n, k);
}
