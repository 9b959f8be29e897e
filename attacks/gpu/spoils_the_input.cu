// attack: changes one element of the input, on a GPU
// against: 05_transpose/2_pad
// must: failed memory, time: was changed
// must: failed output, memory: was changed
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
  tile[y][x] = in[from];
  __syncthreads();
  out[to] = tile[x][y];
  // Where a block reads it later than that, the output is wrong, too.
  if (from == 0 && on_a_gpu()) const_cast<float*>(in)[rows * cols - 1] += 1;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
