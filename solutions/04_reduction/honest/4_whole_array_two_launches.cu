// honest: adds up the sums of the blocks in a second launch

constexpr int kThreads = 256;

__global__ void add_up(int* out, const int* in, int n) {
  int sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n;
       i += gridDim.x * kThreads)
    sum += in[i];
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sum(int* out, const int* in, int n) {
  constexpr int kBlocks = 8 * 132;
  int* parts = nullptr;
  cudaMalloc(&parts, kBlocks * sizeof(int));
  add_up<<<kBlocks, kThreads>>>(parts, in, n);
  add_up<<<1, kThreads>>>(out, parts, kBlocks);
  cudaFree(parts);
}
