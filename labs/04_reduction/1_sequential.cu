// 04_reduction/1_sequential: neighbours add, not strangers
//
// out[b] is the sum of in[256 * b] to in[256 * b + 255], as far as `in` goes,
// for each block b. In every round, half of the sums are added to the other
// half, in shared memory. The kernel below is right, but its threads work on
// sums that lie further apart in each round: by 2 words, then 4, then 8. That
// many lanes then wait for the same bank. Add other pairs: choose them so that
// neighbouring threads work on neighbouring words in every round.
//
//   ./course grade 04_reduction/1_sequential    what is right, and what is not
//   ./course hint  04_reduction/1_sequential    one nudge more each time

constexpr int kThreads = 256;

//! [kernel]
__global__ void block_sums(float* out, const float* in, int n) {
  __shared__ float part[kThreads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * kThreads + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();

  // Your work begins here.
  // TODO: the same number of additions, without conflicts.
  for (int apart = 1; apart < kThreads; apart *= 2) {
    const int at = 2 * apart * tid;
    if (at < kThreads) part[at] += part[at + apart];
    __syncthreads();
  }
  // Your work ends here.
  if (tid == 0) out[blockIdx.x] = part[0];
}
//! [kernel]

void sums(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  block_sums<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
