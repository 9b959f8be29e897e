// honest: the readers meet at a barrier of their own, and one gives back
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kStages = 4, kChunk = 128;  // numbers of a stage
constexpr int kEach = 32;                 // chunks of a block
constexpr int kThreads = 32 + kChunk;

// Until a phase with this parity has ended, and none has since.
__device__ void wait(uint64_t* barrier, int parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__global__ void __launch_bounds__(kThreads)
    reverse_chunks(float* out, const float* in, int n) {
  __shared__ float stages[kStages][kChunk];
  const int t = threadIdx.x, first = blockIdx.x * kEach;
  const int end = min(first + kEach, n / kChunk);
  __shared__ uint64_t full[kStages], empty[kStages];
  if (t < kStages) {
    ptx::mbarrier_init(&full[t], 32);
    ptx::mbarrier_init(&empty[t], 1);
  }
  __syncthreads();  // the barriers are there
  for (int chunk = first; chunk < end; ++chunk) {
    const int s = (chunk - first) % kStages;           // stage
    const int parity = (chunk - first) / kStages % 2;  // of its phase
    if (t < 32) {
      if (chunk >= first + kStages)
        wait(&empty[s], ((chunk - first) / kStages - 1) & 1);
      for (int i = t; i < kChunk; i += 32)
        stages[s][i] = in[chunk * kChunk + i];
      ptx::mbarrier_arrive(&full[s]);
    } else {
      wait(&full[s], parity);
      out[n - 1 - chunk * kChunk - (t - 32)] = stages[s][t - 32];
      asm volatile("bar.sync 1, 128;" ::: "memory");  // the four that read
      if (t == 32) ptx::mbarrier_arrive(&empty[s]);
    }
  }
}

void reverse(float* out, const float* in, int n) {
  const int blocks = (n / kChunk + kEach - 1) / kEach;
  if (n > 0) reverse_chunks<<<blocks, kThreads>>>(out, in, n);
}
