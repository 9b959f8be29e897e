// control: has helpers without C++ names and a struct of arguments
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

struct Matrix {
  const float* data;
  int rows, cols;
};
extern "C" int tiles_of(int n) {
  return n / kTile;
}
extern "C" __device__ float element(Matrix m, int row, int col) {
  return m.data[row * m.cols + col];
}
__global__ void transpose_tile(float* out, Matrix in) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = element(in, blockIdx.y * kTile + y, blockIdx.x * kTile + x);
  __syncthreads();
  out[(blockIdx.x * kTile + y) * in.rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(tiles_of(cols), tiles_of(rows)), dim3(kTile, kTile)>>>(
      out, Matrix{in, rows, cols});
}
