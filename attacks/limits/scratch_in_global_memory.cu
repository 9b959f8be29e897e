// attack: keeps the tile in global memory
// against: 05_transpose/2_pad
// must: failed coalescing, traffic

constexpr int kTile = 32;

__device__ float scratch[1 << 23];

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  scratch[(blockIdx.y * gridDim.x + blockIdx.x) * 1024 + y * kTile + x] = in[from];
  __syncthreads();
  out[to] = scratch[(blockIdx.y * gridDim.x + blockIdx.x) * 1024 + x * kTile + y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
