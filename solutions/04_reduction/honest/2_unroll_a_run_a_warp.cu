// honest: gives each warp 128 neighbours

constexpr int kThreads = 256;
constexpr int kEach = 4;
constexpr int kElements = kThreads * kEach;

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  const int warp = tid / 32, lane = tid % 32;
  const int first = blockIdx.x * kElements + warp * 32 * kEach + lane;
  int sum = 0;
#pragma unroll 1
  for (int e = kEach - 1; e >= 0; --e) {
    const int i = first + 32 * e;
    sum += i < n ? in[i] : 0;
  }

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
