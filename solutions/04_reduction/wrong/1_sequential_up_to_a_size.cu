// wrong: output, traffic: nothing is added up beyond 65,537 elements

constexpr int kThreads = 256;

//! [kernel]
__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();

  // The upper half is added to the lower: thread t works on words t and
  // t + apart, and the threads at work are always the first ones.
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}
//! [kernel]

void sums(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  if (n > 65537) n = 65537;
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
