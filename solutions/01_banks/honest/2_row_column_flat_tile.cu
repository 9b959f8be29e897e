// honest: has a tile of one dimension, and unsigned indices

#include <cstddef>

constexpr int kTile = 32;

__global__ void row_row(float* out, const float* in) {
  const unsigned y = threadIdx.y, x = threadIdx.x;
  const std::size_t i = (blockIdx.x * kTile + y) * kTile + x;
  __shared__ float tile[kTile * kTile];
  tile[y * kTile + x] = in[i];
  __syncthreads();
  out[i] = tile[y * kTile + x];
}

__global__ void row_column(float* out, const float* in) {
  const unsigned y = threadIdx.y, x = threadIdx.x;
  const std::size_t i = (blockIdx.x * kTile + y) * kTile + x;
  __shared__ float tile[kTile * kTile];
  tile[y * kTile + x] = in[i];
  __syncthreads();
  out[i] = tile[x * kTile + y];
}

void both_ways(float* out, const float* in, int tiles) {
  if (tiles == 0) return;
  const dim3 block(kTile, kTile);
  row_row<<<tiles, block>>>(out, in);
  row_column<<<tiles, block>>>(out + tiles * kTile * kTile, in);
}
