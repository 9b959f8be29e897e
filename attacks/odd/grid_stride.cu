// control: strides over the tiles with a small grid
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int t = blockIdx.x; t < rows / kTile * (cols / kTile); t += gridDim.x) {
    const int bx = t % (cols / kTile), by = t / (cols / kTile);
    tile[y][x] = in[(by * kTile + y) * cols + bx * kTile + x];
    __syncthreads();
    out[(bx * kTile + y) * rows + by * kTile + x] = tile[x][y];
    __syncthreads();
  }
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<3, dim3(kTile, kTile)>>>(out, in, rows, cols);
}
