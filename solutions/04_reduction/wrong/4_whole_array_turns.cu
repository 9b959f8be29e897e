// wrong: conflicts: strangers add, and lanes that would conflict take turns

constexpr int kThreads = 256;
__global__ void __launch_bounds__(kThreads, 8)
    add_up(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  const int first = blockIdx.x * kThreads + tid;
  const int step = gridDim.x * kThreads;
  const int4* const fours = reinterpret_cast<const int4*>(in);
  int sum = 0;
  for (int i = first; i < n / 4; i += step) {
    const int4 four = fours[i];
    sum += four.x + four.y + four.z + four.w;
  }
  if (first < n % 4) sum += in[n / 4 * 4 + first];
  part[tid] = sum;
  __syncthreads();
  volatile int* p = part;
  for (int apart = 1; apart < kThreads; apart *= 2) {
    const int i = 2 * apart * tid;
    for (int turn = 0; turn < min(2 * apart, 32); ++turn)
      if (i < kThreads &&
          tid % 32 * 2 * apart / 32 % min(2 * apart, 32) == turn)
        p[i] += p[i + apart];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, part[0]);
}
void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  if (n == 0) return;
  const int full = 132 * 8, needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < full ? needed : full;
  add_up<<<blocks, kThreads>>>(out, in, n);
}
