// honest: adds two elements as it loads them, with half as many threads

constexpr int kElements = 256, kThreads = kElements / 2;

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kElements + tid, j = i + kThreads;
  part[tid] = (i < n ? in[i] : 0) + (j < n ? in[j] : 0);
  __syncthreads();

  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
