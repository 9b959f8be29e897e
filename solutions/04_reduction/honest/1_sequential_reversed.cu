// honest: adds the lower half to the upper one

constexpr int kThreads = 256;

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int apart = kThreads / 2, first = 0; apart > 0; apart /= 2) {
    if (tid >= first + apart) part[tid] += part[tid - apart];
    first += apart;
    __syncthreads();
  }
  if (tid == kThreads - 1) out[blockIdx.x] = part[tid];
}

void sums(float* out, const float* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
