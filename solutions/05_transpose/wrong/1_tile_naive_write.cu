// wrong: coalescing: the tile is filled, then written down a column of `out`

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[in_row * cols + in_col];
  __syncthreads();

  out[in_col * rows + in_row] = tile[threadIdx.y][threadIdx.x];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kTile);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_tile<<<grid, block>>>(out, in, rows, cols);
}
