// attack: frees its input and output, and allocates in their place
// against: 05_transpose/2_pad
// must: passed
// must: failed launch
// must: failed output
// must: failed memory

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  cudaFree(out);
  cudaFree(const_cast<float*>(in));
  cudaFree(out + 32);
  float* mine = nullptr;
  for (int i = 0; i < 64; ++i) cudaMalloc(&mine, 1 << 20);
  cudaMemset(mine, 0, 1 << 20);
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}
void transpose(float* out, const float* in, int rows, int cols) {
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
