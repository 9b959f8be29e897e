// honest: eight rounds by digits of 4 bits, 1,024 threads, and no atomics

#include <climits>

constexpr int kTile = 4096, kThreads = 1024, kWarps = 32, kEach = 4;
constexpr unsigned kAll = 0xffffffff;

__device__ int warp_scan(int value) {
  for (int apart = 1; apart < 32; apart *= 2) {
    const int before = __shfl_up_sync(kAll, value, apart);
    if (threadIdx.x % 32 >= apart) value += before;
  }
  return value;
}

__global__ void sort_tile(int* out, const int* in, int n) {
  __shared__ unsigned keys[kTile];
  __shared__ int counts[16][kWarps + 1], begins[16];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int own = warp * 32 * kEach + lane;
  const int first = blockIdx.x * kTile + own;
  unsigned key[kEach];
  for (int k = 0; k < kEach; ++k) {
    const int i = first + 32 * k;
    key[k] = (i < n ? in[i] : INT_MAX) ^ 0x80000000;
  }
  for (int shift = 0; shift < 32; shift += 4) {
    int rank[kEach], seen = 0;  // of lane d's digit, so far
    for (int k = 0; k < kEach; ++k) {
      unsigned peers = kAll, of_lane = kAll;
      for (int bit = 0; bit < 4; ++bit) {
        const bool one = key[k] >> (shift + bit) & 1;
        const unsigned ones = __ballot_sync(kAll, one);
        peers &= one ? ones : ~ones;
        of_lane &= lane >> bit & 1 ? ones : ~ones;
      }
      rank[k] = __shfl_sync(kAll, seen, key[k] >> shift & 15) +
                __popc(peers & ((1u << lane) - 1));
      seen += __popc(of_lane);
    }
    if (lane < 16) counts[lane][warp] = seen;
    __syncthreads();
    if (warp < 16) {  // warp d: the warps' counts of digit d
      const int count = counts[warp][lane], sum = warp_scan(count);
      counts[warp][lane] = sum - count;
      if (lane == 31) begins[warp] = sum;
    }
    __syncthreads();
    if (warp == 0) {
      const int count = lane < 16 ? begins[lane] : 0;
      const int sum = warp_scan(count);
      if (lane < 16) begins[lane] = sum - count;
    }
    __syncthreads();
    for (int k = 0; k < kEach; ++k) {
      const int digit = key[k] >> shift & 15;
      keys[begins[digit] + counts[digit][warp] + rank[k]] = key[k];
    }
    __syncthreads();
    for (int k = 0; k < kEach; ++k) key[k] = keys[own + 32 * k];
  }
  for (int k = 0; k < kEach; ++k) {
    const int i = first + 32 * k;
    if (i < n) out[i] = key[k] ^ 0x80000000;
  }
}

void sort_tiles(int* out, const int* in, int n) {
  if (n > 0) sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
