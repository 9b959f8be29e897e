// honest: turns on the way into the tile

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  extern __shared__ float tile[];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  tile[x * kTile + y] =
      in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] =
      tile[y * kTile + x];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kTile), grid(cols / kTile, rows / kTile);
  transpose_tile<<<grid, block, kTile * kTile * sizeof(float)>>>(out, in, rows,
                                                                 cols);
}
