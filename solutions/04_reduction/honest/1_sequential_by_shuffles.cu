// honest: adds by shuffles in the warps, whose sums meet in shared memory

__global__ void block_sums(float* out, const float* in, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  __shared__ float part[8];
  float sum = i < n ? in[i] : 0;
  for (int apart = 16; apart > 0; apart /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, apart);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < 8; ++w) sum += part[w];
  out[blockIdx.x] = sum;
}

void sums(float* out, const float* in, int n) {
  if (n > 0) block_sums<<<(n + 255) / 256, 256>>>(out, in, n);
}
