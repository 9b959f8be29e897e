// attack: launches grids and blocks of all sizes that are too large, and one that is right
// against: 05_transpose/2_pad
// must: failed launch: was refused
// must: failed launch

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  for (const unsigned x : {0u, 1u, 65536u, 0x7fffffffu, 0x80000000u, 0xffffffffu})
    for (const unsigned y : {0u, 65536u, 0xffffffffu}) {
      transpose_tile<<<dim3(x, y, 65536), dim3(32, 32)>>>(out, in, rows, cols);
      transpose_tile<<<1, dim3(x, y, 65)>>>(out, in, rows, cols);
      transpose_tile<<<1, 32, x ? x | 0xf0000000u : 0xffffffffu>>>(out, in, rows, cols);
    }
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
