// honest: peers by __match_any_sync, which all read a counter that one writes

#include <climits>

constexpr int kTile = 4096, kThreads = 256, kWarps = 8, kEach = 16;

__global__ void sort_tile(int* out, const int* in, int n) {
  __shared__ unsigned keys[kTile];
  __shared__ int counts[kWarps][256], sums[kWarps];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int own = warp * 32 * kEach + lane;
  const int first = blockIdx.x * kTile + own;
  unsigned key[kEach];
  for (int k = 0; k < kEach; ++k) {
    const int i = first + 32 * k;
    key[k] = (i < n ? in[i] : INT_MAX) ^ 0x80000000;
  }
  for (int shift = 0; shift < 32; shift += 8) {
    for (int d = lane; d < 256; d += 32) counts[warp][d] = 0;
    int rank[kEach];
    for (int k = 0; k < kEach; ++k) {
      int& count = counts[warp][key[k] >> shift & 255];
      const unsigned peers =
          __match_any_sync(0xffffffff, key[k] >> shift & 255);
      const int before = __popc(peers & ((1u << lane) - 1));
      __syncwarp();
      const int start = count;
      __syncwarp();
      if (before == 0) count = start + __popc(peers);
      rank[k] = start + before;
    }
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < kWarps; ++w) sum += counts[w][t];
    int begin = sum;  // and then the sum of the digits up to this one
    for (int apart = 1; apart < 32; apart *= 2) {
      const int before = __shfl_up_sync(0xffffffff, begin, apart);
      if (lane >= apart) begin += before;
    }
    if (lane == 31) sums[warp] = begin;
    __syncthreads();
    for (int w = 0; w < warp; ++w) begin += sums[w];
    begin -= sum;
    for (int w = 0; w < kWarps; ++w) {
      const int count = counts[w][t];
      counts[w][t] = begin;
      begin += count;
    }
    __syncthreads();
    for (int k = 0; k < kEach; ++k)
      keys[counts[warp][key[k] >> shift & 255] + rank[k]] = key[k];
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
