// honest: what no bulk copy carries goes straight to where it belongs
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kChunk = 2048, kThreads = 256;

__device__ void start_copy(float* to, const float* from, int bytes,
                           uint64_t* barrier) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes,
                     barrier);
}
// Arrives, and tells the barrier how many bytes its phase has to wait for.
__device__ void arrive_and_expect(uint64_t* barrier, int bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                 ptx::space_shared, barrier, bytes);
}
__device__ void wait(uint64_t* barrier, int parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

__global__ void __launch_bounds__(kThreads)
    reverse_chunk(float* out, const float* in, int n) {
  __shared__ alignas(16) float chunk[kChunk];
  __shared__ uint64_t full;
  const int t = threadIdx.x, first = blockIdx.x * kChunk;
  const int size = min(kChunk, n - first);
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  const int whole = size / 4 * 4;
  if (t == 0) {
    arrive_and_expect(&full, whole * 4);
    start_copy(chunk, in + first, whole * 4, &full);
  }
  if (t < size % 4) out[n - 1 - first - whole - t] = in[first + whole + t];
  __syncthreads();
  wait(&full, 0);
  for (int i = t; i < size / 4 * 4; i += kThreads)
    out[n - 1 - first - i] = chunk[i];
}

void reverse(float* out, const float* in, int n) {
  const int blocks = (n + kChunk - 1) / kChunk;
  if (n > 0) reverse_chunk<<<blocks, kThreads>>>(out, in, n);
}
