// control: launches blocks and grids of one dimension
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  const int across = cols / kTile, bx = blockIdx.x % across, by = blockIdx.x / across;
  tile[y][x] = in[(by * kTile + y) * cols + bx * kTile + x];
  __syncthreads();
  out[(bx * kTile + y) * rows + by * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<rows * cols / 1024, 1024>>>(out, in, rows, cols);
}
