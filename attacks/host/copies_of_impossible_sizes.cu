// attack: asks for copies, fills and memory of sizes that overflow
// against: 05_transpose/2_pad
// must: passed

#include <cstdint>

constexpr int kTile = 32;
__device__ float symbol[4];

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  void* memory = nullptr;
  std::size_t pitch = 0;
  float host[4] = {};
  cudaMalloc(&memory, SIZE_MAX);
  cudaMalloc(&memory, SIZE_MAX / 2 + 1);
  cudaMallocPitch(&memory, &pitch, SIZE_MAX, SIZE_MAX);
  cudaMemset(out, 1, SIZE_MAX);
  cudaMemset(out + 1, 1, SIZE_MAX - 3);
  cudaMemset2D(out, SIZE_MAX, 1, SIZE_MAX, SIZE_MAX);
  cudaMemset2D(out, 1ull << 32, 1, 1, 1ull << 32);
  cudaMemcpyToSymbol(symbol, host, sizeof host, SIZE_MAX - 7);
  cudaMemcpyToSymbol(symbol, host, 1, SIZE_MAX);
  cudaMemcpy2D(out, SIZE_MAX / 2, host, 16, 16, 3, cudaMemcpyHostToDevice);
  cudaMemcpy2D(out, 1ull << 63, host, 0, 4, 2, cudaMemcpyHostToDevice);
  cudaFree(out + 1);
  cudaFree(reinterpret_cast<void*>(SIZE_MAX));
  cudaGetLastError();
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
