// attack: copies 16 bytes, asynchronously, to where 4 may go
// against: 05_transpose/2_pad
// must: failed memory: misaligned

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  const unsigned to = __cvta_generic_to_shared(&tile[y][1]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n cp.async.wait_all;" ::"r"(to), "l"(in)
               : "memory");
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
