// honest: has fewer threads than elements, and a loop

constexpr int kCols = 32;

__global__ void turn(float* out, const float* in, int rows) {
  extern __shared__ float tile[];
  const int pitch = kCols + kCols / rows;

  const int first = blockIdx.x * rows * kCols;
  for (int i = threadIdx.x; i < rows * kCols; i += blockDim.x)
    tile[i / kCols * pitch + i % kCols] = in[first + i];
  __syncthreads();
  for (int i = threadIdx.x; i < rows * kCols; i += blockDim.x)
    out[first + i] = tile[i % rows * pitch + i / rows];
}

void turn_tiles(float* out, const float* in, int tiles, int rows) {
  if (tiles == 0) return;
  const int block = rows < 8 ? kCols * rows : 8 * kCols;
  const int pitch = kCols + kCols / rows;
  turn<<<tiles, block, rows * pitch * sizeof(float)>>>(out, in, rows);
}
