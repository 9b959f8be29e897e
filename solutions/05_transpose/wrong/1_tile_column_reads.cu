// wrong: coalescing: the stores are mended by making the loads walk a column

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  // The block's tile lands mirrored, so block indices swap; threadIdx.x still
  // walks along a row of `out`.
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  out[out_row * rows + out_col] = in[out_col * cols + out_row];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kTile);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_tile<<<grid, block>>>(out, in, rows, cols);
}
