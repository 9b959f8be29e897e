// control: has a kernel for each half of the matrix
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

__device__ void turn(float* out, const float* in, int rows, int cols, int by) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(by * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + by * kTile + x] = tile[x][y];
}
__global__ void even(float* out, const float* in, int rows, int cols) {
  turn(out, in, rows, cols, 2 * blockIdx.y);
}
__global__ void odd(float* out, const float* in, int rows, int cols) {
  turn(out, in, rows, cols, 2 * blockIdx.y + 1);
}

void transpose(float* out, const float* in, int rows, int cols) {
  const int tiles = rows / kTile;
  even<<<dim3(cols / kTile, (tiles + 1) / 2), dim3(kTile, kTile)>>>(out, in, rows, cols);
  if (tiles > 1) odd<<<dim3(cols / kTile, tiles / 2), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
