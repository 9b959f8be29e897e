// attack: writes what others left in shared memory, on a GPU
// against: 05_transpose/2_pad
// must: failed output, coalescing, traffic
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
  __shared__ float others[kTile];
  tile[y][x] = in[from];
  __syncthreads();
  out[to] = tile[x][y];
  if (on_a_gpu()) out[to] = others[x];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
