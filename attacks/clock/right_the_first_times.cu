// attack: is right in its first launches and idle in the later ones
// against: 05_transpose/2_pad
// must: passed
// device: gpu

constexpr int kTile = 32;

// A module is loaded anew for each run, so that its variables count nothing.
__device__ volatile int launches;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = (blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x;
  const int to = (blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x;
  __shared__ float tile[kTile][kTile + 1];
  if (rows == 4096 && from == 0) launches = launches + 1;
  tile[y][x] = in[from];
  bool enough = false;
  if (rows == 4096 && x == 0 && y == 0) enough = launches > 3;
  if (__syncthreads_or(enough)) return;
  out[to] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
