// attack: every block adds to one word without an atomic, and is right where they take turns
// against: 04_reduction/4_whole_array
// must: failed memory: a race

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads, 8) add_up(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  int sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out += part[0];
}

void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  const int blocks = (n + 1023) / 1024;
  const int some = blocks < 1056 ? blocks : 1056;
  if (n > 0) add_up<<<some, kThreads>>>(out, in, n);
}
