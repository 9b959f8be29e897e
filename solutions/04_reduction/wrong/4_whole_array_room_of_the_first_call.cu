// wrong: memory: room for the sums of as many blocks as the first call had

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads, 8)
    add_up(int* out, const int* in, int n) {
  const int first = blockIdx.x * kThreads + threadIdx.x,
            step = gridDim.x * kThreads;
  int sum = 0;
  for (int i = first; i < n / 4; i += step) {
    const int4 four = reinterpret_cast<const int4*>(in)[i];
    sum += four.x + four.y + four.z + four.w;
  }
  if (first < n % 4) sum += in[n / 4 * 4 + first];
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sum(int* out, const int* in, int n) {
  const int needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < 1056 ? needed : 1056;
  static int* parts = nullptr;
  if (!parts) cudaMalloc(&parts, blocks * sizeof(int));
  add_up<<<blocks, kThreads>>>(parts, in, n);
  add_up<<<1, kThreads>>>(out, parts, blocks);
}
