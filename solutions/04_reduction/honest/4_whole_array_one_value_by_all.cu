// honest: all threads of a block store one value to one word, which is a note
// must: passed: writes the same value

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads, 8)
    add_up(int* out, const int* in, int n) {
  __shared__ int part[kThreads], any;
  const int tid = threadIdx.x, first = blockIdx.x * kThreads + tid,
            step = gridDim.x * kThreads;
  if (tid == 0) any = 0;
  __syncthreads();
  const int4* const fours = reinterpret_cast<const int4*>(in);
  int sum = 0;
  for (int i = first; i < n / 4; i += step) {
    const int4 four = fours[i];
    sum += four.x + four.y + four.z + four.w;
  }
  if (first < n % 4) sum += in[n / 4 * 4 + first];
  if (sum != 0)
    any = 1;  // by all that have something: whoever is last, it is there
  part[tid] = sum;
  __syncthreads();
  if (!any) return;
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, part[0]);
}

void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  if (n == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int full = sms * 2048 / kThreads,
            needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < full ? needed : full;
  add_up<<<blocks, kThreads>>>(out, in, n);
}
