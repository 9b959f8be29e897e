// 09_histograms/5_full_speed: as fast as the elements can be read
//
// out[b] becomes the number of elements of `in` that are b, for each b from 0
// to 255, and no element is anything else. There are from none to 2^25 of them,
// in any order, sorted, or all the same, which must not cost time; `in` begins
// at a multiple of 256 bytes. The page is blank. The limit is the speed of
// memory: a library's histogram is the one to beat. So let a lane load four
// elements at once, and let every multiprocessor have work, in no more blocks
// than it has room for at a time.
//
//   ./course grade 09_histograms/5_full_speed    what is right, and what is not
//   ./course hint  09_histograms/5_full_speed    one nudge more each time

//! [kernel]
// Your work begins here.
constexpr int kBins = 256;
constexpr int kThreads = 1024;

__global__ void __launch_bounds__(kThreads, 2)
    count(int* out, const int* in, int n) {
  __shared__ int bins[kBins];
  const int tid = threadIdx.x;
  if (tid < kBins) bins[tid] = 0;
  __syncthreads();

  // Sixteen bytes a load; of the up to three elements left over, one for each
  // of the grid's first threads.
  const int4* const fours = reinterpret_cast<const int4*>(in);
  const int first = blockIdx.x * kThreads + tid;
  for (int i = first; i < n / 4; i += gridDim.x * kThreads) {
    const int4 four = fours[i];
    atomicAdd(&bins[four.x], 1);
    atomicAdd(&bins[four.y], 1);
    atomicAdd(&bins[four.z], 1);
    atomicAdd(&bins[four.w], 1);
  }
  if (first < n % 4) atomicAdd(&bins[in[n / 4 * 4 + first]], 1);

  __syncthreads();
  if (tid < kBins) atomicAdd(&out[tid], bins[tid]);
}

void histogram(int* out, const int* in, int n) {
  cudaMemset(out, 0, kBins * sizeof(int));
  if (n == 0) return;  // a grid must not be empty
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int full = 2 * sms;  // every thread that can be resident
  const int needed = (n / 4 + kThreads) / kThreads;
  const int blocks = needed < full ? needed : full;
  count<<<blocks, kThreads>>>(out, in, n);
}
// Your work ends here.
//! [kernel]
