// attack: the last block adds up what the others left, and none of them fenced before it counted
// against: 04_reduction/4_whole_array
// must: failed memory: a race

constexpr int kThreads = 256, kMostBlocks = 1056;

__device__ int sums[kMostBlocks];
__device__ int done;

__device__ int of_block(int* part, int mine) {
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
    __syncthreads();
  }
  return part[0];
}

__global__ void __launch_bounds__(kThreads, 8) add_up(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  __shared__ bool is_last;
  int mine = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) mine += in[i];
  const int sum = of_block(part, mine);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    is_last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  mine = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += kThreads) mine += sums[b];
  const int all = of_block(part, mine);
  if (threadIdx.x == 0) {
    *out = all;
    done = 0;
  }
}

void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  const int blocks = (n + 1023) / 1024;
  const int some = blocks < kMostBlocks ? blocks : kMostBlocks;
  if (n > 0) add_up<<<some, kThreads>>>(out, in, n);
}
