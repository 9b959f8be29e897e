// attack: does the shapes that are listed, and nothing for any other
// against: 05_transpose/4_any_shape
// must: failed launch

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_any(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (top + y < rows && left + x < cols) tile[y][x] = in[(top + y) * cols + left + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (left + y < cols && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  constexpr int kKnown[][2] = {{67, 129}, {131, 37}, {1, 1000}, {1000, 1},
                               {31, 33},  {33, 31},  {1, 1},    {500, 300}};
  for (const auto& known : kKnown) {
    if (known[0] != rows || known[1] != cols) continue;
    const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose_any<<<grid, dim3(kTile, kRows)>>>(out, in, rows, cols);
  }
}
