// attack: keeps the strides of the skeleton, and lets asynchronous copies store into them
// against: 05_transpose/2_pad
// must: failed conflicts

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const unsigned to = __cvta_generic_to_shared(&tile[x][y]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n cp.async.wait_all;" ::"r"(to),
               "l"(in + (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x)
               : "memory");
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[y][x];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
