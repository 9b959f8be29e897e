// honest: leaves it to one thread to add the blocks' sums

constexpr int kThreads = 256, kBlocks = 1056;

__device__ int sums[kBlocks];

__global__ void __launch_bounds__(kThreads, 8) add_up(const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x, first = blockIdx.x * kThreads + tid,
            step = gridDim.x * kThreads;
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
  if (tid == 0) sums[blockIdx.x] = part[0];
}

__global__ void add_sums(int* out, int blocks) {
  int sum = 0;
  for (int i = 0; i < blocks; ++i) sum += sums[i];
  *out = sum;
}

void sum(int* out, const int* in, int n) {
  const int needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < kBlocks ? needed : kBlocks;
  add_up<<<blocks, kThreads>>>(in, n);
  add_sums<<<1, 1>>>(out, blocks);
}
