// control: two bins share a word: 16 KiB
// against: 09_histograms/2_lanes
// must: passed

constexpr int kBins = 256, kLanes = 32, kThreads = 512, kElements = 32768;

// A lane's copy counts at most kElements / 32 in a half of a word.
__global__ void count(int* out, const int* in, int n) {
  __shared__ unsigned bins[kBins / 2][kLanes];
  const int tid = threadIdx.x, first = blockIdx.x * kElements;
  const int lane = tid % kLanes;
  for (int b = tid / kLanes; b < kBins / 2; b += kThreads / kLanes) bins[b][lane] = 0;
  __syncthreads();
  for (int i = first + tid; i < first + kElements && i < n; i += kThreads) {
    const int bin = in[i];
    atomicAdd(&bins[bin / 2][lane], bin % 2 ? 1u << 16 : 1u);
  }
  __syncthreads();
  if (tid < kBins / 2) {
    int even = 0, odd = 0;
    for (int c = 0; c < kLanes; ++c) {
      const unsigned both = bins[tid][(c + lane) % kLanes];
      even += both & 0xffff;
      odd += both >> 16;
    }
    atomicAdd(&out[2 * tid], even);
    atomicAdd(&out[2 * tid + 1], odd);
  }
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n > 0) count<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
