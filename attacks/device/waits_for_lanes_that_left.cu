// attack: synchronises a warp with lanes that have returned, and shuffles with a mask of none
// against: 05_transpose/2_pad
// must: failed memory, traffic: an exchange of lanes

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  if (x >= 16 && rows < 0x7fffffff - cols) {
    out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
    return;
  }
  __syncwarp(0xffffffff);
  const float got = __shfl_sync(0u, tile[x][y], 31, 3);
  if (got == 12345) return;
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
