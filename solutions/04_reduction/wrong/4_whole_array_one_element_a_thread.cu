// wrong: coalescing, conflicts, threads: as many threads as elements

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
  if (tid == 0) atomicAdd(out, part[0]);
}

void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int blocks = (n + kThreads - 1) / kThreads;
  add_up<<<blocks, kThreads>>>(out, in, n);
}
