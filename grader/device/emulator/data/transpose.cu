// Transposes through a tile, without and with padding, and for any shape.
template <int kPad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + kPad];
  const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[row * cols + col];
  __syncthreads();
  const int out_row = blockIdx.x * 32 + threadIdx.y, out_col = blockIdx.y * 32 + threadIdx.x;
  out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
template __global__ void transpose_tile<0>(float*, const float*, int, int);
template __global__ void transpose_tile<1>(float*, const float*, int, int);

__global__ void transpose_any_shape(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][33];
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += blockDim.y) {
    const int row = blockIdx.y * 32 + r;
    if (row < rows && col < cols) tile[r][threadIdx.x] = in[row * cols + col];
  }
  __syncthreads();
  const int out_col = blockIdx.y * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += blockDim.y) {
    const int out_row = blockIdx.x * 32 + r;
    if (out_row < cols && out_col < rows) out[out_row * rows + out_col] = tile[threadIdx.x][r];
  }
}

__global__ void transpose_naive(float* out, const float* in, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}
