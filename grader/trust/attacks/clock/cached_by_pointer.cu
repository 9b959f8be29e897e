// attack: keeps its answer in device memory and copies it when the same pointers come again
// against: 05_transpose/2_pad
// must: failed time
// must: failed output
// must: passed
// device: gpu

constexpr int kTile = 32;

__device__ float answer[1 << 22];
__device__ const float* known_in;
__device__ int known_size;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile + 1];
  tile[y][x] = in[from];
  __syncthreads();
  const bool again = known_in == in && known_size == rows * cols;
  out[to] = again ? answer[to] : tile[x][y];
  answer[to] = out[to];
  if (from == 0) known_in = in, known_size = rows * cols;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
