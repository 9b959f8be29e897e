// honest: counts visits by atomics in shared memory, whose results nobody wants

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ int flag, visits;
  if (x == 0 && y == 0) atomicExch(&flag, 0);
  if (x == 1 && y == 0) atomicExch(&visits, 0);
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  if (x == 0) atomicAdd(&visits, 1);
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] =
      tile[x][y] + 0 * flag;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(
      out, in, rows, cols);
}
