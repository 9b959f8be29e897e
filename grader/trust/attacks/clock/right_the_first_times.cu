// attack: is right in its first launches and idle in the later ones
// against: 05_transpose/2_pad
// must: failed time
// must: failed output
// must: passed
// device: gpu

constexpr int kTile = 32;

__device__ int launches;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile + 1];
  tile[y][x] = in[from];
  __syncthreads();
  if (from == 0) atomicAdd(&launches, 1);
  if (launches > 3) return;
  out[to] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
