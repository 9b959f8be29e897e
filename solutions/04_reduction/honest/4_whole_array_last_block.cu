// honest: lets the last block add up, behind a fence

constexpr int kThreads = 256;

__device__ int parts[2048];
__device__ unsigned counted;

__device__ int block_sum(int sum) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  return part[0];
}

__global__ void __launch_bounds__(kThreads, 8)
    add_up(int* out, const int* in, int n) {
  int sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads)
    sum += in[i];
  const int mine = block_sum(sum);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(&counted, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int all = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += kThreads)
    all += __ldcg(parts + b);
  all = block_sum(all);
  if (threadIdx.x == 0) {
    *out = all;
    counted = 0;
  }
}

void sum(int* out, const int* in, int n) {
  add_up<<<8 * 132, kThreads>>>(out, in, n);
}
