// attack: does its work in a kernel with conflicts and shows another
// against: 05_transpose/2_pad
// must: failed coalescing, traffic, conflicts

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile];
  tile[y][x] = in[from];
  __syncthreads();
  out[to] = tile[x][y];
}

__global__ void shown(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile + 1];
  tile[y][x] = in[from];
  __syncthreads();
  out[to] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 grid(cols / kTile, rows / kTile), block(kTile, kTile);
  transpose_tile<<<grid, block>>>(out, in, rows, cols);
  shown<<<grid, block>>>(out, in, rows, cols);
}
