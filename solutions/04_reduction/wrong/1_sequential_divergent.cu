// wrong: traffic: pairs stay where they are, so every warp works every round

constexpr int kThreads = 256;

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int apart = 1; apart < kThreads; apart *= 2) {
    if (tid % (2 * apart) == 0) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
