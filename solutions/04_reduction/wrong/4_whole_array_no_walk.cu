// wrong: conflicts, threads: a thread for every four elements: no block walks

constexpr int kThreads = 256;

// Eight blocks fill a multiprocessor, if a thread takes at most 32 registers.
__global__ void __launch_bounds__(kThreads, 8)
    add_up(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  // Four elements and no more: the grid grows with the array.
  const int first = blockIdx.x * kThreads + tid;
  const int4* const fours = reinterpret_cast<const int4*>(in);
  int sum = 0;
  if (first < n / 4) {
    const int4 four = fours[first];
    sum = four.x + four.y + four.z + four.w;
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
  const int blocks = (n / 4 + kThreads) / kThreads;
  add_up<<<blocks, kThreads>>>(out, in, n);
}
