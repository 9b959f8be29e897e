// control: computes its indices with lambdas
// against: 05_transpose/2_pad
// must: passed
// device: both

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const auto at = [](int by, int y, int width, int bx, int x) {
    return (by * kTile + y) * width + bx * kTile + x;
  };
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[at(blockIdx.y, y, cols, blockIdx.x, x)];
  __syncthreads();
  out[at(blockIdx.x, y, rows, blockIdx.y, x)] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const auto tiles = [](int n) { return n / kTile; };
  transpose_tile<<<dim3(tiles(cols), tiles(rows)), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
