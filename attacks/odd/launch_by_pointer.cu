// control: launches by cudaLaunchKernel and a pointer to the kernel
// against: 05_transpose/2_pad
// must: passed

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  void (*kernel)(float*, const float*, int, int) = transpose_tile;
  void* arguments[] = {&out, &in, &rows, &cols};
  cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(cols / kTile, rows / kTile),
                   dim3(kTile, kTile), arguments, 0, nullptr);
}
