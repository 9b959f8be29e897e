// wrong: traffic, uses: squares of 32x32, one after another, need no opting in

constexpr int kCols = 32, kRows = 16;
__global__ void turn_in_shared(float* out, const float* in, int side) {
  __shared__ float tile[32][33];
  const int first = blockIdx.x * side * side;
  for (int r = 0; r < side; r += 32)
    for (int c = 0; c < side; c += 32) {
      for (int y = threadIdx.y; y < 32; y += kRows)
        tile[y][threadIdx.x] = in[first + (r + y) * side + c + threadIdx.x];
      __syncthreads();
      for (int y = threadIdx.y; y < 32; y += kRows)
        out[first + (c + y) * side + r + threadIdx.x] = tile[threadIdx.x][y];
      __syncthreads();
    }
}
__global__ void turn_in_global(float* out, const float* in, int side) {
  const int first = blockIdx.x * side * side;
  for (int y = threadIdx.y; y < side; y += kRows)
    for (int x = threadIdx.x; x < side; x += kCols)
      out[first + y * side + x] = in[first + x * side + y];
}
void turn_tiles(float* out, const float* in, int tiles, int side) {
  const dim3 block(kCols, kRows);
  if (side > 240)
    turn_in_global<<<tiles, block>>>(out, in, side);
  else
    turn_in_shared<<<tiles, block>>>(out, in, side);
}
