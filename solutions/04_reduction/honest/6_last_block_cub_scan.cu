// honest: running sums by a library's scan, which conflicts a little

#include <cub/block/block_scan.cuh>
#include <cuda/atomic>

constexpr int kThreads = 256, kPiece = 4 * kThreads;

__device__ unsigned
    finished;  // blocks that are done; 0 before the first launch

__global__ void ends(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int e = 0; e < kPiece; e += kThreads) {
    const int i = blockIdx.x * kPiece + tid + e;
    if (i < n) sum += in[i];
  }
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  __shared__ bool last;
  if (tid == 0) {
    out[blockIdx.x] = part[0];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(finished);
    last = count.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
    if (last) count.store(0, cuda::memory_order_relaxed);
  }
  __syncthreads();
  if (last) {
    using Scan = cub::BlockScan<int, kThreads>;
    __shared__ Scan::TempStorage temp;
    int before = 0;
    for (unsigned b = 0; b < gridDim.x; b += kThreads) {
      int value = b + tid < gridDim.x ? out[b + tid] : 0, all;
      Scan(temp).InclusiveSum(value, value, all);
      if (b + tid < gridDim.x) out[b + tid] = before + value;
      before += all;
      __syncthreads();
    }
  }
}

void ends_of_pieces(int* out, const int* in, int n, int arrays) {
  const int pieces = (n + kPiece - 1) / kPiece;
  for (int a = 0; a < arrays && n > 0; ++a)  // a grid must not be empty
    ends<<<pieces, kThreads>>>(out + a * pieces, in + a * n, n);
}
