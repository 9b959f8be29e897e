// attack: launches from a static constructor, before there are matrices
// against: 05_transpose/2_pad
// must: failed kernel, output, memory, coalescing, traffic

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

int load() {
  float* out;
  cudaMalloc(&out, 1 << 20);
  const float* in = out;
  const int rows = 512, cols = 512;
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
  return 0;
}
const int loaded = load();

void transpose(float* out, const float* in, int rows, int cols) {}
