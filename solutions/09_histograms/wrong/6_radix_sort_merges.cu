// wrong: conflicts: by cub::BlockMergeSort, which compares keys and merges runs
#include <climits>
#include <cub/block/block_merge_sort.cuh>

constexpr int kThreads = 256, kEach = 16, kTile = kThreads * kEach;

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void sort_tile(int* out, const int* in, int n) {
  using Sort = cub::BlockMergeSort<int, kThreads, kEach>;
  __shared__ typename Sort::TempStorage memory;
  __shared__ int keys[kTile];
  const int first = blockIdx.x * kTile + threadIdx.x;
  int key[kEach];
  for (int k = 0; k < kEach; ++k) {
    const int i = first + kThreads * k;
    key[k] = i < n ? in[i] : INT_MAX;
  }
  Sort(memory).Sort(key, Less{});
  for (int k = 0; k < kEach; ++k) keys[threadIdx.x * kEach + k] = key[k];
  __syncthreads();
  for (int k = 0; k < kEach; ++k) {
    const int i = first + kThreads * k;
    if (i < n) out[i] = keys[threadIdx.x + kThreads * k];
  }
}

void sort_tiles(int* out, const int* in, int n) {
  if (n > 0) sort_tile<<<(n + kTile - 1) / kTile, kThreads>>>(out, in, n);
}
