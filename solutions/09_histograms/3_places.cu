// 09_histograms/3_places: who came before me?
//
// out[i] becomes the number of elements before in[i] that equal it, among the
// 1,024 elements of its group: its place in line, which is what a sort needs
// to know. A warp walks through a group, 32 elements at a time, and has 256
// counters of its own. As atomicAdd's result is wanted here, lanes of one bin
// take turns: 32 of them where all elements are the same. And in which order
// they take turns, nobody promises.
//
// Let the lanes of a bin find each other: __match_any_sync tells each lane who
// has the same value. One of them can then add for all.
//
//   ./course grade 09_histograms/3_places    what is right, and what is not
//   ./course hint  09_histograms/3_places    one nudge more each time

constexpr int kBins = 256;
constexpr int kLanes = 32;
constexpr int kWarps = 4;
constexpr int kGroup = 1024;           // elements of a warp
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

//! [kernel]
__global__ void line_up(int* out, const int* in, int n) {
  __shared__ int counts[kWarps][kBins];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const int first = (blockIdx.x * kWarps + warp) * kGroup;
  int* const next = counts[warp];  // of each bin, the place that comes next
  for (int b = lane; b < kBins; b += kLanes) next[b] = 0;

  for (int step = 0; step < kGroup; step += kLanes) {
    __syncwarp();  // each step's additions after those before
    const int i = first + step + lane;
    // Your work begins here.
    const unsigned here = __ballot_sync(kAll, i < n);
    if (i < n) {
      const int bin = in[i];
      const unsigned peers = __match_any_sync(here, bin);
      const int before = __popc(peers & ((1u << lane) - 1));
      int start = 0;
      if (before == 0) start = atomicAdd(&next[bin], __popc(peers));
      start = __shfl_sync(here, start, __ffs(peers) - 1);
      out[i] = start + before;
    }
    // Your work ends here.
  }
}
//! [kernel]

void places(int* out, const int* in, int n) {
  if (n == 0) return;                // a grid must not be empty
  const int each = kWarps * kGroup;  // elements of a block
  line_up<<<(n + each - 1) / each, kWarps * kLanes>>>(out, in, n);
}
