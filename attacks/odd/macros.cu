// control: is written with macros
// against: 05_transpose/2_pad
// must: passed

#define KERNEL __global__ void
#define SHARED __shared__ float
#define FOR_MY_ELEMENT(x, y) const int x = threadIdx.x, y = threadIdx.y
#define TILE 32

KERNEL transpose_tile(float* out, const float* in, int rows, int cols) {
  SHARED tile[TILE][TILE + 1];
  FOR_MY_ELEMENT(x, y);
  tile[y][x] = in[(blockIdx.y * TILE + y) * cols + blockIdx.x * TILE + x];
  __syncthreads();
  out[(blockIdx.x * TILE + y) * rows + blockIdx.y * TILE + x] = tile[x][y];
}

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

void transpose(float* out, const float* in, int rows, int cols) {
  LAUNCH(transpose_tile, dim3(cols / TILE, rows / TILE), dim3(TILE, TILE), out, in, rows, cols);
}
