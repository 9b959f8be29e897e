// 04_reduction/5_find_the_bug: since yesterday, the sums are wrong
//
// out[b] is the sum of in[320 * b] to in[320 * b + 319], as far as `in` goes.
// Blocks had 256 elements, and all was well. Then somebody changed one number,
// kThreads. Nothing is out of bounds, nothing races, nothing conflicts; the
// sums are too small. Before you change anything, say which of the lines A to F
// does not hold for 320, and what happens there: write an input that shows it
// on paper. Your two answers go below the sums. Then mend it, for blocks of
// 320; the kernel should remain a tree.
//
//   ./course grade 04_reduction/5_find_the_bug    what is right, what is not
//   ./course hint  04_reduction/5_find_the_bug    one nudge more each time

#include <cuda_runtime.h>

constexpr int kThreads = 320;

enum Line { kA, kB, kC, kD, kE, kF };
enum Cause {
  kUnwritten,  // a word is read that nobody has written
  kRace,       // of two threads that meet in a word nobody says who is first
  kDropped,    // a word is added to none
  kTwice,      // a word is added twice
  kRounding,   // additions of floats lose their last bits
};

//! [kernel]
// Your work begins here.
constexpr float kAnswers[] = {kC, kDropped};

__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;  // A
  part[tid] = i < n ? in[i] : 0;              // B
  __syncthreads();

  for (int left = kThreads; left > 1; left -= left / 2) {  // C
    const int apart = left - left / 2;  // a middle one waits, if left is odd
    if (tid < left / 2) part[tid] += part[tid + apart];  // D
    __syncthreads();                                     // E
  }
  if (tid == 0) out[blockIdx.x] = part[0];  // F
}
// Your work ends here.
//! [kernel]

void sums(float* out, const float* in, int n) {
  const int blocks = (n + kThreads - 1) / kThreads;
  cudaMemcpy(out + blocks, kAnswers, sizeof kAnswers, cudaMemcpyHostToDevice);
  if (n == 0) return;  // a grid must not be empty
  block_sums<<<blocks, kThreads>>>(out, in, n);
}
