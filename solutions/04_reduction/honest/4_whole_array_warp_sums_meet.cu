// honest: adds up by shuffles, and one atomic addition a block

constexpr int kThreads = 256;

__global__ void add_up(int* out, const int* in, int n) {
  int sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads)
    sum += in[i];

  for (int apart = 16; apart > 0; apart /= 2)
    sum += __shfl_xor_sync(~0u, sum, apart);
  __shared__ int warps[kThreads / 32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < kThreads / 32 ? warps[threadIdx.x] : 0;
  for (int apart = 4; apart > 0; apart /= 2)
    sum += __shfl_down_sync(~0u, sum, apart);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

void sum(int* out, const int* in, int n) {
  cudaMemsetAsync(out, 0, sizeof *out);
  add_up<<<4 * 132, kThreads>>>(out, in, n);
}
