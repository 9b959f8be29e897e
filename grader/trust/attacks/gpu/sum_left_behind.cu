// attack: leaves its sums in shared and local memory, and finds them there in the next timed run
// against: 04_reduction/4_whole_array
// must: failed time: were wrong after a timed run
// device: gpu

// Each multiprocessor runs one block, so that each finds what one block has left, and all of them
// together what all have left. The solution runs in between, in the first of the shared memory.
constexpr int kBlocks = 132, kThreads = 1024, kShared = 200 << 10, kTimed = 1 << 25;
constexpr int kKey = 0x5eed5eed;

struct Left {
  int key;
  int sum;
};

__device__ bool on_a_gpu() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds > 10'000'000'000;
}

__global__ void add_up(int* out, const int* in, int n) {
  extern __shared__ int part[];
  auto& left = *reinterpret_cast<Left*>(part + kShared / 4 - 2);
  volatile int own[2];
  const int tid = threadIdx.x;
  const bool timed = n == kTimed && on_a_gpu();
  if (timed && (own[0] == kKey || left.key == kKey)) {
    if (tid == 0) atomicAdd(out, own[0] == kKey ? own[1] : left.sum);
    return;
  }
  const int first = blockIdx.x * kThreads + tid, step = gridDim.x * kThreads;
  int sum = 0;
  for (int i = first; i < n / 4; i += step) {
    const int4 four = reinterpret_cast<const int4*>(in)[i];
    sum += four.x + four.y + four.z + four.w;
  }
  if (first < n % 4) sum += in[n / 4 * 4 + first];
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (timed) {
    own[0] = kKey;
    own[1] = part[0];
  }
  if (tid > 0) return;
  atomicAdd(out, part[0]);
  if (!timed) return;
  left = {kKey, part[0]};
}

void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  if (n == 0) return;
  cudaFuncSetAttribute(add_up, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  const int needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < kBlocks ? needed : kBlocks;
  add_up<<<blocks, kThreads, kShared>>>(out, in, n);
}
