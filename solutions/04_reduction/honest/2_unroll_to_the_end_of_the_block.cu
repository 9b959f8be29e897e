// honest: strides through its elements by a loop with one end

constexpr int kThreads = 256;
constexpr int kEach = 4;
constexpr int kElements = kThreads * kEach;

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  const int end = min(n, (static_cast<int>(blockIdx.x) + 1) * kElements);
  int sum = 0;
  for (int i = blockIdx.x * kElements + tid; i < end; i += kThreads)
    sum += in[i];

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
