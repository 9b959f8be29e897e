// 09_histograms/6_radix_sort: digit by digit
//
// Every 4,096 elements of `in` are a tile; the last may have fewer. In `out`,
// each tile is sorted, its smallest key first. Keys are of both signs and may
// be equal, and there may be none at all.
//
// The kernel below is a radix sort by digits of one bit, the lowest first. In
// each of 32 rounds, keys with a 0 move to the front and keys with a 1 to the
// back, and each group keeps its order: that makes the sort stable, and without
// it a round would undo the one before. So each key moves 32 times.
//
// Take larger digits, of 4 bits at least: then keys move through shared memory
// 8 times at most. In a round, a key's place is where its digit's keys begin,
// plus its rank: how many keys with that digit come before it in the tile.
// Count the digits (a histogram for each warp), and an exclusive prefix sum
// over the counts says where the keys of each digit and warp begin.
//
//   ./course grade 09_histograms/6_radix_sort    what is right, what is not
//   ./course hint  09_histograms/6_radix_sort    one nudge more each time
#include <climits>

constexpr int kTile = 4096;  // keys that are sorted together
constexpr int kLanes = 32, kThreads = 256, kWarps = kThreads / kLanes;
constexpr int kEach = kTile / kThreads;  // keys of a thread
constexpr unsigned kAll = 0xffffffff, kSign = 0x80000000;

// The sum of the values of all threads before this one. It has one barrier, and
// between two such sums there has to be another.
__device__ int sum_before(int value);

//! [kernel]
__global__ void __launch_bounds__(kThreads)
    sort_tile(int* out, const int* in, int n) {
  __shared__ unsigned keys[kTile];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const int own = warp * kLanes * kEach + lane;  // the thread's first key
  const int first = blockIdx.x * kTile + own;
  unsigned key[kEach];  // with the sign turned: then their bits are in order
  for (int k = 0; k < kEach; ++k) {
    const int i = first + kLanes * k;
    key[k] = (i < n ? in[i] : INT_MAX) ^ kSign;
  }
  // Your work begins here.
  // TODO: larger digits, and so fewer rounds.
  __shared__ int zeros[kWarps];
  for (int bit = 0; bit < 32; ++bit) {
    int rank[kEach];  // among the warp's keys with that bit
    int mine = 0;     // zeros of the warp
    for (int k = 0; k < kEach; ++k) {
      const bool one = key[k] >> bit & 1;
      const unsigned ones = __ballot_sync(kAll, one);
      const int before = __popc(ones & ((1u << lane) - 1));
      rank[k] = one ? kLanes * k - mine + before : mine + lane - before;
      mine += kLanes - __popc(ones);
    }
    if (lane == 0) zeros[warp] = mine;
    __syncthreads();
    int before = 0, all = 0;  // zeros of the warps before, and of all
    for (int w = 0; w < kWarps; all += zeros[w++])
      if (w < warp) before += zeros[w];
    const int ones = all + own - lane - before;  // where the warp's ones begin
    for (int k = 0; k < kEach; ++k)
      keys[rank[k] + (key[k] >> bit & 1 ? ones : before)] = key[k];
    __syncthreads();
    for (int k = 0; k < kEach; ++k) key[k] = keys[own + kLanes * k];
  }
  // Your work ends here.
  for (int k = 0; k < kEach; ++k) {
    const int i = first + kLanes * k;
    if (i < n) out[i] = key[k] ^ kSign;
  }
}
//! [kernel]

__device__ int sum_before(int value) {
  __shared__ int sums[kWarps];  // of each warp
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  int sum = value;
  for (int apart = 1; apart < kLanes; apart *= 2) {
    const int before = __shfl_up_sync(kAll, sum, apart);
    if (lane >= apart) sum += before;
  }
  if (lane == kLanes - 1) sums[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += sums[w];
  return sum - value;
}

void sort_tiles(int* out, const int* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
