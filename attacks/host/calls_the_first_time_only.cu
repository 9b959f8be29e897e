// attack: works in the first call of a process and sleeps through the second
// against: 05_transpose/2_pad
// must: failed output

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  static int calls = 0;
  if (calls++ > 0) return;
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
