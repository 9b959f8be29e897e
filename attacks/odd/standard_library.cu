// control: uses the standard library: vectors, strings, threads, exceptions
// against: 05_transpose/2_pad
// must: passed

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  std::vector<int> tiles = {cols / kTile, rows / kTile};
  try {
    if (std::ranges::find(tiles, 0) != tiles.end()) throw std::runtime_error("no tile");
  } catch (const std::runtime_error&) {
    return;
  }
  std::thread([&] {
    transpose_tile<<<dim3(tiles[0], tiles[1]), dim3(kTile, kTile)>>>(out, in, rows, cols);
  }).join();
}
