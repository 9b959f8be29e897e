// 04_reduction/8_slow_sums: since yesterday, the sums take longer
//
// out[b] is the sum of in[2048 * b] to in[2048 * b + 2047], as far as `in`
// goes. Yesterday somebody changed one of the lines A to G, "against bank
// conflicts". The sums are right still; requests, sectors and conflicts in
// shared and global memory are what they were. Say which line it is, and what
// is slow about it, before you change anything: your two answers go below
// the sums. Then mend it.
//
//   ./course grade 04_reduction/8_slow_sums    what is right, and what is not
//   ./course hint  04_reduction/8_slow_sums    one nudge more each time

#include <cuda_runtime.h>

constexpr int kThreads = 256, kEach = 8, kBlock = kThreads * kEach;

enum Line { kA, kB, kC, kD, kE, kF, kG };
enum Cause {
  kSectors,   // lanes ask for more sectors than their words lie in
  kBanks,     // lanes want different words of one bank
  kLocal,     // a thread's own numbers are in device memory, not in registers
  kBarriers,  // threads wait more often than they need to
  kIdle,      // whole warps have nothing to do for most of the time
};

//! [kernel]
// Your work begins here.
// TODO: a name from above in place of each -1, and then the line.
constexpr float kAnswers[] = {-1, -1};  // the line, and the cause

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  float own[kEach];
  for (int e = 0; e < kEach; ++e) {
    const int i = blockIdx.x * kBlock + kThreads * e + tid;  // A
    own[e] = i < n ? in[i] : 0;                              // B
  }
  float sum = 0;
  for (int e = 0; e < kEach; ++e) sum += own[(tid + e) % kEach];  // C
  part[tid] = sum;                                                // D
  __syncthreads();

  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];  // E
    __syncthreads();                                  // F
  }
  if (tid == 0) out[blockIdx.x] = part[0];  // G
}
// Your work ends here.
//! [kernel]

void sums(float* out, const float* in, int n) {
  const int blocks = (n + kBlock - 1) / kBlock;
  cudaMemcpy(out + blocks, kAnswers, sizeof kAnswers, cudaMemcpyHostToDevice);
  if (n == 0) return;  // a grid must not be empty
  block_sums<<<blocks, kThreads>>>(out, in, n);
}
