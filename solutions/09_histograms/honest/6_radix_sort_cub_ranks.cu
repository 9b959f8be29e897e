// honest: ranks by cub::BlockRadixRankMatch, with digits of 8 bits

#include <climits>
#include <cub/block/block_radix_rank.cuh>

constexpr int kThreads = 256, kEach = 16, kTile = kThreads * kEach;
constexpr int kBits = 8;

__global__ void __launch_bounds__(kThreads)
    sort_tile(int* out, const int* in, int n) {
  using Rank = cub::BlockRadixRankMatch<kThreads, kBits, false>;
  __shared__ typename Rank::TempStorage memory;
  __shared__ unsigned keys[kTile];
  const int own = threadIdx.x / 32 * 32 * kEach + threadIdx.x % 32;
  const int first = blockIdx.x * kTile + own;
  unsigned key[kEach];
  for (int k = 0; k < kEach; ++k) {
    const int i = first + 32 * k;
    key[k] = (i < n ? in[i] : INT_MAX) ^ 0x80000000;
  }
  for (int shift = 0; shift < 32; shift += kBits) {
    int place[kEach];
    Rank(memory).RankKeys(key, place,
                          cub::BFEDigitExtractor<unsigned>(shift, kBits));
    for (int k = 0; k < kEach; ++k) keys[place[k]] = key[k];
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
