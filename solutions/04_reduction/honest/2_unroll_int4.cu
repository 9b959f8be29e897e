// honest: loads four neighbours as an int4, and the last few one by one

constexpr int kThreads = 256;
constexpr int kEach = 4;
constexpr int kElements = kThreads * kEach;

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  const int i = blockIdx.x * kElements + kEach * tid;
  int sum = 0;
  if (i + 3 < n) {
    const int4 four = reinterpret_cast<const int4*>(in)[i / kEach];
    sum = four.x + four.y + four.z + four.w;
  } else {
    for (int k = i; k < n; ++k) sum += in[k];
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
