// honest: seven rounds by digits of five bits, a counter for each thread
#include <climits>

constexpr int kTile = 4096;  // keys that are sorted together
constexpr int kLanes = 32, kThreads = 256, kWarps = kThreads / kLanes;
constexpr int kEach = kTile / kThreads;  // keys of a thread
constexpr unsigned kAll = 0xffffffff, kSign = 0x80000000;

// The sum of the values of all threads before this one. It has one barrier, and
// between two such sums there has to be another.
__device__ int sum_before(int value);

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
  constexpr int kDigits = 32;
  __shared__ int counts[kWarps][kDigits];
  const int t = threadIdx.x, digit_of = t / kWarps, warp_of = t % kWarps;
  for (int shift = 0; shift < 32; shift += 5) {
    counts[warp][lane] = 0;
    __syncwarp();
    int rank[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const unsigned digit = key[k] >> shift & 31;
      unsigned same = kAll;
#pragma unroll
      for (int bit = 0; bit < 5; ++bit) {
        const unsigned ones = __ballot_sync(kAll, digit >> bit & 1);
        same &= digit >> bit & 1 ? ones : ~ones;
      }
      const int so_far = counts[warp][digit],
                before = __popc(same & ((1u << lane) - 1));
      __syncwarp();
      if (before == 0) counts[warp][digit] = so_far + __popc(same);
      __syncwarp();
      rank[k] = so_far + before;
    }
    __syncthreads();
    const int from = sum_before(counts[warp_of][digit_of]);
    __syncthreads();
    counts[warp_of][digit_of] = from;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kEach; ++k)
      keys[rank[k] + counts[warp][key[k] >> shift & 31]] = key[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kEach; ++k) key[k] = keys[own + kLanes * k];
  }
  for (int k = 0; k < kEach; ++k) {
    const int i = first + kLanes * k;
    if (i < n) out[i] = key[k] ^ kSign;
  }
}

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
