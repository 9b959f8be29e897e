// 08_tiled_product/3_vector: sixteen bytes at a time
//
// As exercise 2, with 8x8 elements per thread and steps of 32, for `k` and `n`
// that are multiples of 4, so that rows begin at multiples of 16 bytes; `m` is
// any number. What is left to save is requests: for 64 products a thread reads
// 16 numbers, most of them one at a time. A float4 is four in one request: of
// A, four neighbours along `k`, which serve four steps; of B, four neighbours
// along `n`, so a thread's columns are two runs of four.
//
// The tiles below are filled by float4, and read by float. Read them by float4,
// and write C by float4. Which runs does a thread take? Sixteen-byte requests
// are served eight lanes at a time: eight neighbours have 32 banks to share.
//
//   ./course grade 08_tiled_product/3_vector    what is right, what is not
//   ./course hint  08_tiled_product/3_vector    one nudge more each time

constexpr int kTile = 128, kStep = 32, kThreads = 256;
constexpr int kRuns = kStep / 4;  // float4s in a row of A's tile

__device__ float4 four(const float* from, int rows, int cols, int row,
                       int col) {
  if (row >= rows || col >= cols) return make_float4(0, 0, 0, 0);
  return *reinterpret_cast<const float4*>(from + row * cols + col);
}

//! [kernel]
__global__ void __launch_bounds__(kThreads, 2)
    multiply(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float4 a_tile[kTile][kRuns];
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
    // Your work begins here.
#pragma unroll
    for (int run = 0; run < kRuns; ++run) {
      float4 from_a[8];
      for (int e = 0; e < 8; ++e) from_a[e] = a_tile[y + 16 * e][run];
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
    // Your work ends here.
    __syncthreads();
  }
  // Your work begins here.
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    const int row = top + y + 16 * e, col = left + 4 * x;
    const float* const s = sum[e];
    float4* const to = reinterpret_cast<float4*>(c + row * n + col);
    if (row < m && col < n) to[0] = {s[0], s[1], s[2], s[3]};
    if (row < m && col + 64 < n) to[16] = {s[4], s[5], s[6], s[7]};
  }
  // Your work ends here.
}
//! [kernel]

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, kThreads>>>(c, a, b, m, n, k);
}
