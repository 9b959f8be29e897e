// attack: the last warp's loads and stores are relaxed, which races with nothing and orders nothing
// against: 04_reduction/3_no_race
// must: failed memory: a race

constexpr int kThreads = 256, kElements = 4 * kThreads;

__device__ int load(const int* from) {
  int value;
  asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];"
               : "=r"(value)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
               : "memory");
  return value;
}
__device__ void store(int* to, int value) {
  asm volatile("st.relaxed.cta.shared.s32 [%0], %1;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "r"(value)
               : "memory");
}

__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * kElements + tid; i < n && i < (blockIdx.x + 1) * kElements;
       i += kThreads)
    sum += in[i];
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 32; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid < 32)
    for (int apart = 32; apart > 0; apart /= 2) {
      const int other = load(part + tid + apart);
      store(part + tid, load(part + tid) + other);
    }
  if (tid == 0) out[blockIdx.x] = part[0];
}

void sums(int* out, const int* in, int n) {
  if (n > 0) block_sums<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
