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
  // Sixteen bytes a load; of the up to three elements left over, one for each
  // of the grid's first threads.
  const int first = blockIdx.x * kThreads + tid;
  const int step = gridDim.x * kThreads;
  const int4* const fours = reinterpret_cast<const int4*>(in);
  int sum = 0;
  for (int i = first; i < n / 4; i += step) {
    const int4 four = fours[i];
    sum += four.x + four.y + four.z + four.w;
  }
  if (first < n % 4) sum += in[n / 4 * 4 + first];
  // Your work ends here.

  part[tid] = sum;
  __syncthreads();
  for (int apart = kThreads / 2; apart > 0; apart /= 2) {
    if (tid < apart) part[tid] += part[tid + apart];
    __syncthreads();
  }
  // Your work begins here.
  if (tid == 0) atomicAdd(out, part[0]);
  // Your work ends here.
}
//! [kernel]

void sum(int* out, const int* in, int n) {
  // Your work begins here.
  cudaMemset(out, 0, sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int full = sms * 2048 / kThreads;  // every thread that can be resident
  const int needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < full ? needed : full;
  add_up<<<blocks, kThreads>>>(out, in, n);
  // Your work ends here.
}
