// honest: asynchronous copies, and a barrier in memory that waits for them

#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int kTile = 32;  // side of the tile
constexpr int kRows = 8;   // rows of threads in a block

__global__ void transpose_rows(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;

  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0 && threadIdx.y == 0) init(&bar, kTile * kRows);
  __syncthreads();
  for (int r = threadIdx.y; r < kTile; r += kRows)
    cuda::memcpy_async(&tile[r][threadIdx.x],
                       in + (blockIdx.y * kTile + r) * cols + in_col,
                       cuda::aligned_size_t<4>(4), bar);
  bar.arrive_and_wait();
  for (int r = threadIdx.y; r < kTile; r += kRows)
    out[(blockIdx.x * kTile + r) * rows + out_col] = tile[threadIdx.x][r];
}

void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 block(kTile, kRows);
  const dim3 grid(cols / kTile, rows / kTile);
  transpose_rows<<<grid, block>>>(out, in, rows, cols);
}
