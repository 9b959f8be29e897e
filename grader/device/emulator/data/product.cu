// C = A B for square matrices, through two tiles.
__global__ void product(float* c, const float* a, const float* b, int n) {
  __shared__ float a_tile[32][32], b_tile[32][32];
  const int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
