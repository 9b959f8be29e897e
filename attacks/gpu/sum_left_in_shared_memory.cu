// attack: leaves its sums in shared memory, and looks for them there in the next timed run
// against: 04_reduction/4_whole_array
// must: passed
// device: gpu

// It adds honestly where it finds nothing, and it never does: on an H200 the next launch finds what
// a block left, in all 132 multiprocessors, but not once a kernel or a copy in between has read
// global memory through L1, which is the same memory. Inputs are restored by a copy. Should it find
// its sums, they are wrong, as no two runs have the same inputs.

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
  const int tid = threadIdx.x;
  const bool timed = n == kTimed && on_a_gpu();
  if (timed && left.key == kKey) {
    if (tid == 0) atomicAdd(out, left.sum);
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
  if (tid > 0) return;
  atomicAdd(out, part[0]);
  if (timed) left = {kKey, part[0]};
}

void sum(int* out, const int* in, int n) {
  cudaMemset(out, 0, sizeof(int));
  if (n == 0) return;
  cudaFuncSetAttribute(add_up, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  const int needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < kBlocks ? needed : kBlocks;
  add_up<<<blocks, kThreads, kShared>>>(out, in, n);
}
