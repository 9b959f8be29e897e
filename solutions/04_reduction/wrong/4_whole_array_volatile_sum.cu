// wrong: output: blocks read, add and store, and additions get lost

constexpr int kThreads = 256;

// Eight blocks fill a multiprocessor, if a thread takes at most 32 registers.
__global__ void __launch_bounds__(kThreads, 8)
    add_up(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  // Sixteen bytes a load; of the up to three elements left over, one for each
  // of the grid's first threads.
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
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  volatile int* const all = out;
  if (tid == 0) *all = *all + part[0];
}

void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int full = sms * 2048 / kThreads;  // every thread that can be resident
  const int needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < full ? needed : full;
  add_up<<<blocks, kThreads>>>(out, in, n);
}
