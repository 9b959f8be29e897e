// 04_reduction/2_unroll: four elements per thread, a quarter of the blocks
//
// out[b] is now the sum of 1,024 elements of `in`, as far as it goes, still by
// 256 threads: each adds up four elements on its own before the tree begins.
// Four loads are then under way at once, and the tree in shared memory, where
// fewer threads work each round, is climbed once instead of four times. Below,
// each thread still loads one element. Choose which four a thread takes: each
// load of a warp should read 32 neighbours. And `in` may end anywhere.
//
//   ./course grade 04_reduction/2_unroll    what is right, and what is not
//   ./course hint  04_reduction/2_unroll    one nudge more each time

constexpr int kThreads = 256;
constexpr int kEach = 4;  // elements per thread
constexpr int kElements = kThreads * kEach;

//! [kernel]
__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  // Your work begins here.
  // TODO: the sum of kEach elements.
  const int i = blockIdx.x * kElements + tid;
  const int sum = i < n ? in[i] : 0;
  // Your work ends here.

  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}
//! [kernel]

void sums(int* out, const int* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  block_sums<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
