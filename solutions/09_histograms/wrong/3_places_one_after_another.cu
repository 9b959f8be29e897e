// wrong: output, conflicts: one lane after another takes its place

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
    if (i < n) out[i] = atomicAdd(&next[in[i]], 1);
    // Your work ends here.
  }
}
//! [kernel]

void places(int* out, const int* in, int n) {
  if (n == 0) return;                // a grid must not be empty
  const int each = kWarps * kGroup;  // elements of a block
  line_up<<<(n + each - 1) / each, kWarps * kLanes>>>(out, in, n);
}
