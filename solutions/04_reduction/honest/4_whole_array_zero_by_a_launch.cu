// honest: clears the sum by a launch of its own, and asks how many blocks fit

constexpr int kThreads = 256;

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

__global__ void clear(int* out) { *out = 0; }

__global__ void add_up(int* out, const int* in, int n) {
  int sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads)
    sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

void sum(int* out, const int* in, int n) {
  int sms = 0, blocks = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_up, kThreads, 0);
  clear<<<1, 1>>>(out);
  add_up<<<sms * blocks, kThreads>>>(out, in, n);
}
