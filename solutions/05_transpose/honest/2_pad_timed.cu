// honest: takes times and counts in the kernel, for itself

constexpr int kTile = 32;

__device__ unsigned long long longest;

__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const long long start = clock64();
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  const int there = __syncthreads_count(rows > 0);
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
  const unsigned long long took = clock64() - start;
  if (x == 0 && y == 0 && there > 0) atomicMax(&longest, took);
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(
      out, in, rows, cols);
}
