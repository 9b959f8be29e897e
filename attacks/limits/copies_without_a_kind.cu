// attack: leaves it to the runtime to find out that a copy is between device buffers
// against: 05_transpose/2_pad
// must: failed launch

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile + 1];
  tile[y][x] = in[from];
  __syncthreads();
  if (tile[x][y] == 0.125f && from == -1) out[to] = 0;
}

void transpose(float* out, const float* in, int rows, int cols) {
  for (int c = 0; c < cols; ++c)
    cudaMemcpy2DAsync(out + c * rows, 4, in + c, cols * 4, 4, rows, cudaMemcpyDefault);
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
