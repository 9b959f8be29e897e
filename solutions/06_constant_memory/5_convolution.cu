// 06_constant_memory/5_convolution: 121 points, and where they come from
//
// A picture is blurred along a slanted line: out[r][c] = the sum of w(y, x) *
// in[r + y][c + x] for y and x from -5 to 5, with the weights w(y, x) =
// exp(-(a * y * y + b * y * x + c * x * x)). Outside the `rows` x `cols` of the
// picture everything is 0. There may be no row or column, and no number has to
// divide another. All lanes of a warp want the same weight at the same time, so
// the launcher computes them once and copies them to constant memory.
//
// The kernel below is right. It loads 121 numbers for each result, nearly all
// of them from the first-level cache, and asks of each whether it is inside.
// In exercise 1, with nine points, the cache was as good as a tile.
//
// Let a block load its part of the picture into shared memory once, with a halo
// of five on all four sides, and zeros where the picture ends. Then let each
// thread make at least four results of a column, or of a row: it loads a number
// of the tile once for all of its results that need it.
//
//   ./course grade 06_constant_memory/5_convolution    what is right, what not
//   ./course hint  06_constant_memory/5_convolution    one nudge more each time

constexpr int kSide = 11, kRadius = kSide / 2;

__constant__ float weight[kSide][kSide];

//! [kernel]
// Your work begins here.
constexpr int kCols = 32, kThreadRows = 8;  // threads of a block
constexpr int kEach = 8;                    // results of a thread, in a column
constexpr int kRows = kEach * kThreadRows;  // of results

__global__ void weigh(float* out, const float* in, int rows, int cols) {
  constexpr int kTileRows = kRows + 2 * kRadius,
                kTileCols = kCols + 2 * kRadius;
  __shared__ float tile[kTileRows][kTileCols];
  const int top = blockIdx.y * kRows, left = blockIdx.x * kCols;
  for (int y = threadIdx.y; y < kTileRows; y += kThreadRows)
    for (int x = threadIdx.x; x < kTileCols; x += kCols) {
      const int r = top + y - kRadius, c = left + x - kRadius;
      const bool inside = r >= 0 && r < rows && c >= 0 && c < cols;
      tile[y][x] = inside ? in[r * cols + c] : 0;
    }
  __syncthreads();

  const int first = kEach * threadIdx.y, col = left + threadIdx.x;
  float sum[kEach] = {};
#pragma unroll 1  // short code, which is executed eleven times
  for (int x = 0; x < kSide; ++x) {
    float number[kEach + 2 * kRadius];  // a column
#pragma unroll
    for (int y = 0; y < kEach + 2 * kRadius; ++y)
      number[y] = tile[first + y][threadIdx.x + x];
#pragma unroll
    for (int y = 0; y < kSide; ++y)
#pragma unroll
      for (int e = 0; e < kEach; ++e) sum[e] += weight[y][x] * number[y + e];
  }
  for (int e = 0; e < kEach; ++e)
    if (top + first + e < rows && col < cols)
      out[(top + first + e) * cols + col] = sum[e];
}
// Your work ends here.
//! [kernel]

void blur(float* out, const float* in, int rows, int cols, float a, float b,
          float c) {
  if (rows == 0 || cols == 0) return;  // a grid must not be empty
  float weights[kSide][kSide];
  for (int y = -kRadius; y <= kRadius; ++y)
    for (int x = -kRadius; x <= kRadius; ++x)
      weights[y + kRadius][x + kRadius] =
          expf(-(a * y * y + b * y * x + c * x * x));
  cudaMemcpyToSymbolAsync(weight, weights, sizeof weights);
  const dim3 blocks((cols + kCols - 1) / kCols, (rows + kRows - 1) / kRows);
  weigh<<<blocks, dim3(kCols, kThreadRows)>>>(out, in, rows, cols);
}
