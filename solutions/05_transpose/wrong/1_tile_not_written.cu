// wrong: output: the tile is filled and never written

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[in_row * cols + in_col];
  __syncthreads();

  // The block's tile lands mirrored, so block indices swap; threadIdx.x still
  // walks along a row of `out`.
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  if (rows < 0) out[out_row + out_col] = tile[threadIdx.x][threadIdx.y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kTile);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_tile<<<grid, block>>>(out, in, rows, cols);
}
