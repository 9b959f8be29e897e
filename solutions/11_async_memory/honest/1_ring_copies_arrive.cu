// honest: copies arrive for the lanes that ask for them

#include <cuda/ptx>
namespace ptx = cuda::ptx;
// Warp 0 does not even wait for its numbers: the copies arrive for it.
constexpr int kStages = 4, kChunk = 128, kEach = 32, kThreads = 32 + kChunk;
__device__ void wait(uint64_t* barrier, int parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}
__global__ void __launch_bounds__(kThreads)
    reverse_chunks(float* out, const float* in, int n) {
  __shared__ alignas(16) float stages[kStages][kChunk];
  __shared__ uint64_t full[kStages], empty[kStages];
  const int t = threadIdx.x, first = blockIdx.x * kEach,
            end = min(first + kEach, n / kChunk);
  if (t < kStages) {
    ptx::mbarrier_init(&full[t], 32);
    ptx::mbarrier_init(&empty[t], kChunk);
  }
  __syncthreads();
  int s = 0, parity = 0;
  for (int chunk = first; chunk < end; ++chunk) {
    if (t < 32) {
      wait(&empty[s], parity ^ 1);
      const unsigned to = __cvta_generic_to_shared(&stages[s][4 * t]),
                     bar = __cvta_generic_to_shared(&full[s]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
                   "l"(in + chunk * kChunk + 4 * t)
                   : "memory");
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar)
                   : "memory");
    } else {
      wait(&full[s], parity);
      out[n - 1 - chunk * kChunk - (t - 32)] = stages[s][t - 32];
      ptx::mbarrier_arrive(&empty[s]);
    }
    if (++s == kStages) {
      s = 0;
      parity ^= 1;
    }
  }
}
void reverse(float* out, const float* in, int n) {
  const int blocks = (n / kChunk + kEach - 1) / kEach;
  if (n > 0) reverse_chunks<<<blocks, kThreads>>>(out, in, n);
}
