// 11_async_memory/2_bulk_copy: a bulk copy with its remainder
//
// `out` becomes `in` in reverse order, for any n. Each block brings 2,048
// numbers to shared memory, the last one what is left, and writes them out.
// Below, its threads carry them. Let one thread start a bulk copy instead.
// Addresses and sizes of a bulk copy are multiples of 16 bytes, and what comes
// after the last 16 is for threads to carry, at most three numbers. Nobody may
// read before the barrier has been told of all bytes of the copy.
//
//   ./course grade 11_async_memory/2_bulk_copy    what is right, what is not
//   ./course hint  11_async_memory/2_bulk_copy    one nudge more each time
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

//! [kernel]
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
  // Your work begins here.
  const int whole = size / 4 * 4;  // numbers of the bulk copy
  if (t == 0) {
    arrive_and_expect(&full, whole * sizeof(float));
    start_copy(chunk, in + first, whole * sizeof(float), &full);
  }
  if (t < size - whole) chunk[whole + t] = in[first + whole + t];
  __syncthreads();  // the barrier is there, and so is the remainder
  wait(&full, 0);
  // Your work ends here.
  for (int i = t; i < size; i += kThreads) out[n - 1 - first - i] = chunk[i];
}
//! [kernel]

void reverse(float* out, const float* in, int n) {
  const int blocks = (n + kChunk - 1) / kChunk;
  if (n > 0) reverse_chunk<<<blocks, kThreads>>>(out, in, n);
}
