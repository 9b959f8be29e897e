// honest: lets only the warps that still have work meet, at a barrier for so
// many threads

constexpr int kThreads = 256;

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid >= apart) return;
    part[tid] += part[tid + apart];
    if (apart > 32)
      asm volatile("bar.sync 1, %0;" ::"r"(apart) : "memory");
    else
      __syncwarp((1ull << apart) - 1);
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
