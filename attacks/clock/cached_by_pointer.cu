// attack: keeps its answer in device memory and copies it when the same pointers come again
// against: 05_transpose/2_pad
// must: failed coalescing, time
// must: failed time
// device: gpu

constexpr int kTile = 32;

__device__ float answer[1 << 24];
__device__ const float* volatile known_in;
__device__ volatile int known_size;

__global__ void remember(const float* in, int size) {
  known_in = in;
  known_size = size;
}

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
  if (rows == 4096 && known_in == in && known_size == rows * cols) {
    out[to] = answer[to];
    return;
  }
  tile[y][x] = in[from];
  __syncthreads();
  out[to] = tile[x][y];
  if (on_a_gpu()) answer[to] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
  if (rows == 4096) remember<<<1, 1>>>(in, rows * cols);
}
