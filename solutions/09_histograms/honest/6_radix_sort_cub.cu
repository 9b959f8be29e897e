// honest: by cub::BlockRadixSort, with digits of 4 bits

#include <climits>
#include <cub/block/block_radix_sort.cuh>

constexpr int kThreads = 256, kEach = 16, kTile = kThreads * kEach;

__global__ void __launch_bounds__(kThreads)
    sort_tile(int* out, const int* in, int n) {
  using Sort = cub::BlockRadixSort<int, kThreads, kEach>;
  __shared__ typename Sort::TempStorage memory;
  const int first = blockIdx.x * kTile + threadIdx.x;
  int key[kEach];  // equal keys are alike: their order before is any
  for (int k = 0; k < kEach; ++k) {
    const int i = first + kThreads * k;
    key[k] = i < n ? in[i] : INT_MAX;
  }
  Sort(memory).SortBlockedToStriped(key);
  for (int k = 0; k < kEach; ++k) {
    const int i = first + kThreads * k;
    if (i < n) out[i] = key[k];
  }
}

void sort_tiles(int* out, const int* in, int n) {
  if (n > 0) sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
