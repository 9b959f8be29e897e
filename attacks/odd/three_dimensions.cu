// control: launches blocks and grids of three dimensions
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.z * 8 + threadIdx.y;
  tile[y][x] = in[(blockIdx.z * kTile + y) * cols + blockIdx.y * kTile + x];
  __syncthreads();
  out[(blockIdx.y * kTile + y) * rows + blockIdx.z * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(1, cols / kTile, rows / kTile), dim3(kTile, 8, 4)>>>(out, in, rows, cols);
}
