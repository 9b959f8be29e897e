// honest: calls a function that is not inlined for each element

constexpr int kThreads = 256;
constexpr int kEach = 4;
constexpr int kElements = kThreads * kEach;

__device__ __noinline__ int at(const int* in, int n, int i) {
  if (i >= n) return 0;
  return in[i];
}

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  int sum = 0;
  for (int e = 0; e < kEach; ++e)
    sum += at(in, n, blockIdx.x * kElements + e * kThreads + tid);

  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(int* out, const int* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
