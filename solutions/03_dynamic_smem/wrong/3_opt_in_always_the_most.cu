// wrong: shared_bytes: every block asks for all there is

constexpr int kCols = 32, kRows = 16;  // threads of a block

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
  const int needed = side * (side + 1) * sizeof(float);
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const int bytes = most;
  if (needed > most) {
    turn_in_global<<<tiles, block>>>(out, in, side);
    return;
  }
  cudaFuncSetAttribute(turn_in_shared,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  // A wish, not a right: as much of the L1 cache as there is, so that two
  // blocks fit where they can.
  cudaFuncSetAttribute(turn_in_shared,
                       cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxShared);
  turn_in_shared<<<tiles, block, bytes>>>(out, in, side);
}
