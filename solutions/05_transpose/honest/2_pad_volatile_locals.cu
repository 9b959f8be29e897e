// honest: keeps its indices in volatile variables

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  volatile int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  volatile int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  tile[y][x] = in[from];
  __syncthreads();
  out[to] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(
      out, in, rows, cols);
}
