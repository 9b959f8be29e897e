// honest: loads four elements before it adds any

constexpr int kThreads = 256;
constexpr int kEach = 4;
constexpr int kElements = kThreads * kEach;

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  const size_t first = size_t{blockIdx.x} * kElements + tid;
  int four[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const size_t i = first + e * kThreads;
    four[e] = i < static_cast<size_t>(n) ? __ldg(in + i) : 0;
  }
  int sum = (four[0] + four[1]) + (four[2] + four[3]);

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
