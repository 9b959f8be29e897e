// attack: allocates nearly a gigabyte and writes to all of it from a kernel
// against: 05_transpose/2_pad
// must: timed_out
// must: not_measurable: MiB of memory
// must: failed coalescing
// must: failed memory, coalescing, traffic
// must: failed traffic
// seconds: 90

__global__ void fill(float4* words, long count) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    words[i] = make_float4(1, 2, 3, 4);
}
constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  constexpr long kBytes = 1000l << 20;
  float4* words = nullptr;
  cudaMalloc(&words, kBytes);
  fill<<<256, 256>>>(words, kBytes / sizeof(float4));
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
