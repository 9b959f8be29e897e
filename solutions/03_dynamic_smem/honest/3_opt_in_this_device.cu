// honest: asks for the current device, and opts in only where it has to

constexpr int kCols = 32, kRows = 16;

__global__ void turn_in_shared(float* out, const float* in, int side) {
  extern __shared__ float tile[];
  const int pitch = side + 1;
  const int first = blockIdx.x * side * side;
  for (int y = threadIdx.y; y < side; y += kRows)
    for (int x = threadIdx.x; x < side; x += kCols)
      tile[y * pitch + x] = in[first + y * side + x];
  __syncthreads();
  for (int y = threadIdx.y; y < side; y += kRows)
    for (int x = threadIdx.x; x < side; x += kCols)
      out[first + y * side + x] = tile[x * pitch + y];
}

__global__ void turn_in_global(float* out, const float* in, int side) {
  const int first = blockIdx.x * side * side;
  for (int y = threadIdx.y; y < side; y += kRows)
    for (int x = threadIdx.x; x < side; x += kCols)
      out[first + y * side + x] = in[first + x * side + y];
}

void turn_tiles(float* out, const float* in, int tiles, int side) {
  const dim3 block(kCols, kRows);
  const int bytes = side * (side + 1) * sizeof(float);
  int device = 0, most = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                         device);
  const bool fits = bytes <= most;
  if (fits && bytes > 48 * 1024)
    cudaFuncSetAttribute(turn_in_shared,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (!fits) {
    turn_in_global<<<tiles, block>>>(out, in, side);
    return;
  }
  turn_in_shared<<<tiles, block, bytes>>>(out, in, side);
}
