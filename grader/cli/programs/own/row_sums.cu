// The sum of each row of a matrix, in three ways that give the same numbers.
//
//   ./course run grader/cli/programs/own/row_sums.cu
//
// A thread sums a row: straight from global memory, from a tile in shared
// memory, and from a tile whose rows are a word longer.
#include <cstdio>
#include <vector>

constexpr int kRows = 512, kCols = 512, kTile = 32;

__global__ void direct(float* sums, const float* in) {
  const int row = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int col = 0; col < kCols; ++col) sum += in[row * kCols + col];
  sums[row] = sum;
}

template <int kPitch>
__device__ void sum_by_tiles(float* sums, const float* in) {
  __shared__ float tile[kTile][kPitch];
  const int first = blockIdx.x * kTile;
  float sum = 0;
  for (int col = 0; col < kCols; col += kTile) {
    for (int row = 0; row < kTile; ++row)
      tile[row][threadIdx.x] = in[(first + row) * kCols + col + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile[threadIdx.x][i];
    __syncthreads();
  }
  sums[first + threadIdx.x] = sum;
}
__global__ void tiled(float* sums, const float* in) {
  sum_by_tiles<kTile>(sums, in);
}
__global__ void padded(float* sums, const float* in) {
  sum_by_tiles<kTile + 1>(sums, in);
}

int main() {
  std::vector<float> in(kRows * kCols), sums(kRows);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = i % 7;
  float *device_in, *device_sums;
  cudaMalloc(&device_in, in.size() * sizeof(float));
  cudaMalloc(&device_sums, sums.size() * sizeof(float));
  cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyDefault);
  int wrong = 0;
  for (auto* kernel : {direct, tiled, padded}) {
    kernel<<<kRows / kTile, kTile>>>(device_sums, device_in);
    cudaMemcpy(sums.data(), device_sums, sums.size() * sizeof(float), cudaMemcpyDefault);
    for (int row = 0; row < kRows; ++row) {
      float sum = 0;
      for (int col = 0; col < kCols; ++col) sum += in[row * kCols + col];
      wrong += sums[row] != sum;
    }
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(device_in);
  cudaFree(device_sums);
  return wrong != 0;
}
