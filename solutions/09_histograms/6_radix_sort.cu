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
  constexpr int kBits = 8, kDigits = 1 << kBits;  // a thread for each digit
  __shared__ int counts[kWarps][kDigits];
  for (int shift = 0; shift < 32; shift += kBits) {
    const auto digit = [&](int k) { return key[k] >> shift & (kDigits - 1); };
    for (int d = lane; d < kDigits; d += kLanes) counts[warp][d] = 0;
    int rank[kEach];  // among the warp's keys with that digit
    for (int k = 0; k < kEach; ++k) {
      __syncwarp();  // each step's additions after those before
      unsigned peers = kAll;
      for (int bit = shift; bit < shift + kBits; ++bit) {
        const bool one = key[k] >> bit & 1;
        const unsigned ones = __ballot_sync(kAll, one);
        peers &= one ? ones : ~ones;
      }
      const int before = __popc(peers & ((1u << lane) - 1));
      int start = 0;
      if (before == 0)
        start = atomicAdd(&counts[warp][digit(k)], __popc(peers));
      rank[k] = __shfl_sync(kAll, start, __ffs(peers) - 1) + before;
    }
    __syncthreads();
    int sum = 0;  // of this thread's digit, warp after warp
    for (int w = 0; w < kWarps; ++w) {
      const int count = counts[w][threadIdx.x];
      counts[w][threadIdx.x] = sum;
      sum += count;
    }
    const int begin = sum_before(sum);
    for (int w = 0; w < kWarps; ++w) counts[w][threadIdx.x] += begin;
    __syncthreads();
    for (int k = 0; k < kEach; ++k)
      keys[counts[warp][digit(k)] + rank[k]] = key[k];
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
