// honest: keeps the edges of the tile in shared memory, and votes on whether
// there is work

constexpr int kTile = 32, kRows = 8;

struct Edges {
  int top, left, high, wide;
};

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  __shared__ Edges edges;
  const int x = threadIdx.x;
  if (x == 0 && threadIdx.y == 0) {
    edges.top = blockIdx.y * kTile, edges.left = blockIdx.x * kTile;
    edges.high = min(kTile, rows - edges.top),
    edges.wide = min(kTile, cols - edges.left);
  }
  __syncthreads();
  const int top = edges.top, left = edges.left;
  if (__any_sync(0xffffffff, x < edges.wide))
    for (int y = threadIdx.y; y < edges.high; y += kRows)
      if (x < edges.wide) tile[y][x] = in[(top + y) * cols + left + x];
  if (__syncthreads_count(x < edges.high) == 0) return;
  for (int y = threadIdx.y; y < edges.wide; y += kRows)
    if (x < edges.high) out[(left + y) * rows + top + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_any<<<grid, dim3(kTile, kRows)>>>(out, in, rows, cols);
}
