// 11_async_memory/1_ring: a ring of phases
//
// `out` becomes `in` in reverse order; n is a multiple of 128. Warp 0 of a
// block brings chunks of 128 numbers into a ring of four stages, and the other
// four warps write them out. Each stage has a barrier in memory, `full`: one of
// its phases ends when the 32 lanes of warp 0 have arrived, and the next
// begins. A wait names the phase by its parity: 0, 1, 0, 1. As long as phase
// 2 of a stage can end before somebody has seen the end of phase 0, that is not
// enough, and a stage is overwritten while it is read. Find what is missing.
// __syncthreads() in the loop would be too much: no warp waits for all others.
// And warp 0 works ahead: of three chunks or more, three wait in the ring at a
// time.
//
//   ./course grade 11_async_memory/1_ring    what is right, what is not
//   ./course hint  11_async_memory/1_ring    one nudge more each time
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

//! [kernel]
__global__ void __launch_bounds__(kThreads)
    reverse_chunks(float* out, const float* in, int n) {
  __shared__ float stages[kStages][kChunk];
  const int t = threadIdx.x, first = blockIdx.x * kEach;
  const int end = min(first + kEach, n / kChunk);
  // Your work begins here.
  // TODO: how does warp 0 know that a stage may be filled again?
  __shared__ uint64_t full[kStages];
  if (t < kStages) ptx::mbarrier_init(&full[t], 32);
  // Your work ends here.
  __syncthreads();  // the barriers are there
  for (int chunk = first; chunk < end; ++chunk) {
    const int s = (chunk - first) % kStages;           // stage
    const int parity = (chunk - first) / kStages % 2;  // of its phase
    // Your work begins here.
    // TODO: what warp 0 waits for, and what the others tell it.
    if (t < 32) {
      for (int i = t; i < kChunk; i += 32)
        stages[s][i] = in[chunk * kChunk + i];
      ptx::mbarrier_arrive(&full[s]);
    } else {
      wait(&full[s], parity);
      out[n - 1 - chunk * kChunk - (t - 32)] = stages[s][t - 32];
    }
    // Your work ends here.
  }
}
//! [kernel]

void reverse(float* out, const float* in, int n) {
  const int blocks = (n / kChunk + kEach - 1) / kEach;
  if (n > 0) reverse_chunks<<<blocks, kThreads>>>(out, in, n);
}
