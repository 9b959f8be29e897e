// wrong: memory: the row behind the last one is read and changes nothing

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  // Rows one word longer than there are banks: a column's words fall into 32
  // banks, one in each.
  __shared__ float tile[kTile][kTile + 1];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  const float here = in[in_row * cols + in_col];
  const float below = in[(in_row + 1) * cols + in_col];
  tile[threadIdx.y][threadIdx.x] = fmaxf(here, fminf(here, below));
  __syncthreads();

  // The block's tile lands mirrored, so block indices swap; threadIdx.x still
  // walks along a row of `out`, which keeps the stores coalesced.
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kTile);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_tile<<<grid, block>>>(out, in, rows, cols);
}
