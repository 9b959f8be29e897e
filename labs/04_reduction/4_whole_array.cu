// 04_reduction/4_whole_array: one sum, as fast as memory can be read
//
// *out is the sum of all `n` elements, from none to 2^28; `in` begins at a
// multiple of 256 bytes, and the sum fits an int. Below, one block adds up the
// first 1,024 elements, and `*out` is left alone when there are none.
//
// One or two launches may do it. Read each element once, and keep the whole
// device busy: hundreds of blocks that walk through the array together, as few
// as fill the device, so that each walks far. How their sums meet is yours to
// choose; an atomicAdd from each block is cheap, one from each thread is not.
//
//   ./course grade 04_reduction/4_whole_array    what is right, and what is not
//   ./course hint  04_reduction/4_whole_array    one nudge more each time

constexpr int kThreads = 256;

// Eight blocks fill a multiprocessor, if a thread takes at most 32 registers.
//! [kernel]
__global__ void __launch_bounds__(kThreads, 8)
    add_up(int* out, const int* in, int n) {
  __shared__ int part[kThreads];
  const int tid = threadIdx.x;

  // Your work begins here.
  // TODO: this thread's part of the whole array.
  int sum = 0;
  for (int i = tid; i < n && i < 4 * kThreads; i += kThreads) sum += in[i];
  // Your work ends here.

  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  // Your work begins here.
  // TODO: the sums of all blocks.
  if (tid == 0) *out = part[0];
  // Your work ends here.
}
//! [kernel]

void sum(int* out, const int* in, int n) {
  // Your work begins here.
  // TODO: a place for the sum, and enough blocks.
  if (n > 0) add_up<<<1, kThreads>>>(out, in, n);
  // Your work ends here.
}
