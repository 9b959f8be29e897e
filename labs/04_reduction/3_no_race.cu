// 04_reduction/3_no_race: the last warp does not run in step
//
// Once 64 sums are left, one warp is at work, and barriers for the whole block
// are a waste. Older code left them out and declared the array volatile,
// trusting that 32 lanes execute every line together. That was never promised,
// and is not so since compute capability 7.0: a lane may read part[tid + 16]
// before the lane there has added to it, or after it was overwritten. The sums
// below come out right today; they are a race all the same.
// Keep the last warp free of block barriers, and make it right.
//
//   ./course grade 04_reduction/3_no_race    what is right, and what is not
//   ./course hint  04_reduction/3_no_race    one nudge more each time

constexpr int kThreads = 256;
constexpr int kEach = 4;  // elements per thread
constexpr int kElements = kThreads * kEach;

//! [kernel]
__global__ void block_sums(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;
  int sum = 0;
  for (int e = 0; e < kEach; ++e) {
    const int i = blockIdx.x * kElements + e * kThreads + tid;
    if (i < n) sum += in[i];
  }
  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 32; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }

  if (tid < 32) {
    // Your work begins here.
    // TODO: reads and writes of different lanes, in an order that is certain.
    volatile int* const shared = part;
    shared[tid] += shared[tid + 32];
    shared[tid] += shared[tid + 16];
    shared[tid] += shared[tid + 8];
    shared[tid] += shared[tid + 4];
    shared[tid] += shared[tid + 2];
    shared[tid] += shared[tid + 1];
    // Your work ends here.
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}
//! [kernel]

void sums(int* out, const int* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  block_sums<<<(n + kElements - 1) / kElements, kThreads>>>(out, in, n);
}
