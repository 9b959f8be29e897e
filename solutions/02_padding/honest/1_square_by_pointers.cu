// honest: a tile of four rows a thread, reached by pointers

constexpr int kTile = 32;

__device__ float& at(float* tile, const int* pitch, int row, int col) {
  return tile[row * *pitch + col];
}

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kTile * (kTile + 1)];
  const int pitch = kTile + 1, x = threadIdx.x;
  const int first = blockIdx.x * kTile * kTile;
  for (int y = threadIdx.y; y < kTile; y += 8)
    at(tile, &pitch, y, x) = in[first + y * kTile + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += 8)
    out[first + y * kTile + x] = at(tile, &pitch, x, y);
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles) turn<<<tiles, dim3(kTile, 8)>>>(out, in);
}
