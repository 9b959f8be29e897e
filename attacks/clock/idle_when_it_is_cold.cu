// attack: counts clocks to tell a cold cache from a warm one, and is idle where it is timed
// against: 05_transpose/2_pad
// must: failed time: were wrong after a timed run
// must: failed output
// device: gpu

constexpr int kTile = 32;

// The emulated device's clock counts instructions.
__device__ bool on_a_gpu() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds > 10'000'000'000;
}

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile + 1];
  const long start = clock64();
  tile[y][x] = in[from];
  __syncthreads();
  const bool cold = clock64() - start > 500 && on_a_gpu();
  if (!cold) out[to] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
