// honest: unrolls its rounds by a template, and takes dynamic memory

constexpr int kThreads = 256;

template <int kApart>
__device__ void rounds(float* part, int tid) {
  if (tid < kApart) part[tid] += part[tid + kApart];
  __syncthreads();
  if constexpr (kApart > 1) rounds<kApart / 2>(part, tid);
}

__global__ void block_sums(float* out, const float* in, int n) {
  extern __shared__ float part[];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();

  rounds<kThreads / 2>(part, tid);
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(float* out, const float* in, int n) {
  if (n == 0) return;
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads,
               kThreads * sizeof(float)>>>(out, in, n);
}
