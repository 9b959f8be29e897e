// honest: adds the sums from both ends

constexpr int kThreads = 256;

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int left = kThreads; left > 1; left /= 2) {
    if (tid < left / 2) part[tid] += part[left - 1 - tid];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
