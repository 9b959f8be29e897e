// 08_tiled_product/2_ratio: more arithmetic for each number that is read
//
// The product of exercise 1, with 16x16 threads and steps of 16 along `k`. Each
// thread has kEach x kEach elements of C, 16 apart in both directions, in
// registers: kEach numbers of A and kEach of B make kEach * kEach products, so
// the larger it is, the less is read for each. A block has a square of C with
// sides of 16 * kEach.
//
// The kernel below works for kEach = 1. Teach it kEach = 4, look at the report
// (wider tiles may conflict where narrow ones did not), and then set it to 8,
// which is what is asked for. Arrays stay in registers when the compiler knows
// every index: unroll all loops up to kEach.
//
//   ./course grade 08_tiled_product/2_ratio    what is right, what is not
//   ./course hint  08_tiled_product/2_ratio    one nudge more each time

constexpr int kSide = 16;  // of the block, and the step along k
constexpr int kThreads = kSide * kSide;
// Your work begins here.
constexpr int kEach = 8;
// Your work ends here.
constexpr int kTile = kSide * kEach;

//! [kernel]
__global__ void __launch_bounds__(kThreads)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float a_tile[kTile][kSide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;

  // Your work begins here.
  // A warp stores half of two rows: they have to be 16 banks apart.
  __shared__ float b_tile[kSide][kTile + kSide];
  float sum[kEach][kEach] = {};
  for (int first = 0; first < k; first += kSide) {
#pragma unroll
    for (int e = 0; e < kEach; ++e) {
      const int r = row + e * kSide, s = col + e * kSide;
      const bool in_a = r < m && first + x < k, in_b = first + y < k && s < n;
      a_tile[y + e * kSide][x] = in_a ? a[r * k + first + x] : 0.0f;
      b_tile[y][x + e * kSide] = in_b ? b[(first + y) * n + s] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kSide; ++i) {
      float from_a[kEach], from_b[kEach];
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        from_a[e] = a_tile[y + e * kSide][i];
        from_b[e] = b_tile[i][x + e * kSide];
      }
#pragma unroll
      for (int e = 0; e < kEach; ++e)
#pragma unroll
        for (int f = 0; f < kEach; ++f) sum[e][f] += from_a[e] * from_b[f];
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < kEach; ++e)
#pragma unroll
    for (int f = 0; f < kEach; ++f) {
      const int r = row + e * kSide, s = col + f * kSide;
      if (r < m && s < n) c[r * n + s] = sum[e][f];
    }
  // Your work ends here.
}
//! [kernel]

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  const dim3 block(kSide, kSide);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(c, a, b, m, n, k);
}
