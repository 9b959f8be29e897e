// wrong: threads: a block for each 4,096 elements

constexpr int kBins = 256;
constexpr int kLanes = 32;
constexpr int kThreads = 1024;
constexpr int kAtOnce = 4;  // loads of 16 bytes that a thread has under way

// A copy for each lane, in its own bank, as in exercise 2.
__global__ void __launch_bounds__(kThreads, 2)
    count(int* out, const int* in, int n) {
  __shared__ int bins[kBins][kLanes];
  const int tid = threadIdx.x, lane = tid % kLanes;
  for (int b = tid / kLanes; b < kBins; b += kThreads / kLanes)
    bins[b][lane] = 0;
  __syncthreads();

  const int4* const fours = reinterpret_cast<const int4*>(in);
  const auto add = [&](int4 four) {
    atomicAdd(&bins[four.x][lane], 1);
    atomicAdd(&bins[four.y][lane], 1);
    atomicAdd(&bins[four.z][lane], 1);
    atomicAdd(&bins[four.w][lane], 1);
  };
  const int all = gridDim.x * kThreads;
  int i = blockIdx.x * kThreads + tid;
  for (; i + (kAtOnce - 1) * all < n / 4; i += kAtOnce * all) {
    int4 loaded[kAtOnce];
    for (int k = 0; k < kAtOnce; ++k) loaded[k] = fours[i + k * all];
    for (int k = 0; k < kAtOnce; ++k) add(loaded[k]);
  }
  for (; i < n / 4; i += all) add(fours[i]);
  if (blockIdx.x == 0 && tid < n % 4)
    atomicAdd(&bins[in[n / 4 * 4 + tid]][lane], 1);
  __syncthreads();

  for (int b = tid / kLanes; b < kBins; b += kThreads / kLanes) {
    const int sum = __reduce_add_sync(0xffffffff, bins[b][lane]);
    if (lane == 0 && sum > 0) atomicAdd(&out[b], sum);
  }
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  const int needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed;
  count<<<blocks, kThreads>>>(out, in, n);
}
