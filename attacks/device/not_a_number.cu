// attack: writes what is equal to nothing, and unequal to nothing
// against: 05_transpose/2_pad
// must: failed output

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile + 1];
  tile[y][x] = in[from];
  __syncthreads();
  out[to] = tile[x][y] * __int_as_float(0x7fffffff);
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
