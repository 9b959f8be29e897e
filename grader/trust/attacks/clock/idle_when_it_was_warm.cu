// attack: counts clocks to tell a warm cache from a cold one, and is idle in the warm one
// against: 05_transpose/2_pad
// must: failed time
// must: failed output
// must: passed
// device: gpu

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile + 1];
  tile[y][x] = in[from];
  __syncthreads();
  const long start = clock64();
  const float again = static_cast<const volatile float*>(in)[from];
  if (clock64() - start < 60) return;
  out[to] = tile[x][y] + 0 * again;
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
