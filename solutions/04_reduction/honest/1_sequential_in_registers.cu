// honest: keeps a thread's own sum in a register

constexpr int kThreads = 256;

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  float sum = i < n ? in[i] : 0;
  part[tid] = sum;
  __syncthreads();

  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] = sum += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
