// attack: writes to the address of a function of its own
// against: 05_transpose/2_pad
// must: failed memory
// must: failed kernel
// must: failed output, memory
// must: failed memory, coalescing

__device__ __noinline__ float twice(float x) {
  return 2 * x;
}
constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  float (*volatile function)(float) = twice;
  if (x + y == 0) *(volatile unsigned long*)function = 0;
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
