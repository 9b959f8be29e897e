// attack: waits at barriers that there are not, for numbers of threads that there cannot be
// against: 05_transpose/2_pad
// must: failed memory: a barrier

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  const int id = 16 + x % 3 + 1000000000, count = 33;
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
