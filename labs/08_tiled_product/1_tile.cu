// 08_tiled_product/1_tile: C = A B through tiles
//
// C (`m` x `n`) becomes the product of A (`m` x `k`) and B (`k` x `n`), all
// row-major and of any shape; C is zeros where `k` is 0. The kernel below is
// right. Each thread reads a row of A and a column of B from global memory, so
// every element of A is read `n` times and every element of B `m` times.
//
// Let a block of 32x32 threads walk along `k` in steps of 32. In each step it
// loads one tile of A and one of B, one element per thread, into shared memory,
// and every thread multiplies a row of the one by a column of the other: 32
// times less to read. Zeros where a tile hangs over the edge change no sum, and
// no thread may leave before the last barrier.
//
//   ./course grade 08_tiled_product/1_tile    what is right, what is not
//   ./course hint  08_tiled_product/1_tile    one nudge more each time

constexpr int kTile = 32;

//! [kernel]
__global__ void multiply(float* c, const float* a, const float* b, int m, int n,
                         int k) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  float sum = 0;
  // Your work begins here.
  // TODO: a tile of A and one of B in each step.
  if (row < m && col < n)
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
  // Your work ends here.
  if (row < m && col < n) c[row * n + col] = sum;
}
//! [kernel]

void product(float* c, const float* a, const float* b, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block>>>(c, a, b, m, n, k);
}
