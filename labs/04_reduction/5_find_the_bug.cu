// 04_reduction/5_find_the_bug: since yesterday, the sums are wrong
//
// out[b] is the sum of in[320 * b] to in[320 * b + 319], as far as `in` goes.
// Blocks had 256 elements, and all was well. Then somebody changed one number.
// Nothing is out of bounds, nothing races, nothing conflicts; the sums are too
// small. Before you change a line, say which one is wrong, and whose elements
// are missing: write an input that shows it on paper. Then mend it, for blocks
// of 320; the kernel should remain a tree.
//
//   ./course grade 04_reduction/5_find_the_bug    what is right, what is not
//   ./course hint  04_reduction/5_find_the_bug    one nudge more each time

constexpr int kThreads = 320;

//! [kernel]
// Your work begins here.
// TODO: find it.
__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}
// Your work ends here.
//! [kernel]

void sums(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
