// honest: lets the warps of a block meet by atomic additions in shared memory

constexpr int kThreads = 256;

__global__ void add_up(int* out, const int* in, int n) {
  int sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads)
    sum += in[i];

  __shared__ int all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  sum = __reduce_add_sync(~0u, sum);
  if (threadIdx.x % 32 == 0) atomicAdd(&all, sum);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, all);
}

void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof *out);
  add_up<<<8 * 132, kThreads>>>(out, in, n);
}
