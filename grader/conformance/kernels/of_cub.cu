// What people build blocks of: CUB's collectives, several algorithms of each, and cooperative
// groups. ../kernels.hpp says how a comment "launch:" is read. Each kernel is measured on an H200.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

namespace cg = cooperative_groups;

// launch: block_reduce<0> float, grid 2, block 128, n 256
// launch: block_reduce<1> float, grid 2, block 128, n 256
// launch: block_reduce<2> float, grid 2, block 128, n 256
template <int kAlgorithm>
__global__ void block_reduce(float* out, const float* in, int n) {
  using Reduce = cub::BlockReduce<float, 128, static_cast<cub::BlockReduceAlgorithm>(kAlgorithm)>;
  __shared__ typename Reduce::TempStorage storage;
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float sum = Reduce(storage).Sum(i < n ? in[i] : 0);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
template __global__ void block_reduce<0>(float*, const float*, int);
template __global__ void block_reduce<1>(float*, const float*, int);
template __global__ void block_reduce<2>(float*, const float*, int);

// Fewer valid items than threads.
// launch: block_reduce_some int, grid 2, block 96, n 77
__global__ void block_reduce_some(int* out, const int* in, int n) {
  using Reduce = cub::BlockReduce<int, 96>;
  __shared__ typename Reduce::TempStorage storage;
  const int most = Reduce(storage).Reduce(
      in[threadIdx.x], [](int a, int b) { return a > b ? a : b; }, n);
  if (threadIdx.x == 0) out[blockIdx.x] = most;
}

// launch: block_scan<0> int, grid 2, block 128, n 256
// launch: block_scan<1> int, grid 2, block 128, n 256
// launch: block_scan<2> int, grid 2, block 128, n 256
template <int kAlgorithm>
__global__ void block_scan(int* out, const int* in, int n) {
  using Scan = cub::BlockScan<int, 128, static_cast<cub::BlockScanAlgorithm>(kAlgorithm)>;
  __shared__ typename Scan::TempStorage storage;
  const int i = blockIdx.x * 128 + threadIdx.x;
  int items[4], total;
  for (int k = 0; k < 4; ++k) items[k] = in[i * 4 + k];
  Scan(storage).ExclusiveSum(items, items, total);
  for (int k = 0; k < 4; ++k) out[i * 4 + k] = items[k] + (i < n ? total : 0);
}
template __global__ void block_scan<0>(int*, const int*, int);
template __global__ void block_scan<1>(int*, const int*, int);
template __global__ void block_scan<2>(int*, const int*, int);

// launch: block_load_store<0> float, grid 2, block 64, n 500
// launch: block_load_store<1> float, grid 2, block 64, n 500
// launch: block_load_store<2> float, grid 2, block 64, n 500
// launch: block_load_store<3> float, grid 2, block 64, n 500
// launch: block_load_store<4> float, grid 2, block 64, n 500
// launch: block_load_store<5> float, grid 2, block 64, n 500
template <int kAlgorithm>
__global__ void block_load_store(float* out, const float* in, int n) {
  using Load = cub::BlockLoad<float, 64, 4, static_cast<cub::BlockLoadAlgorithm>(kAlgorithm)>;
  using Store = cub::BlockStore<float, 64, 4, static_cast<cub::BlockStoreAlgorithm>(kAlgorithm)>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  const int first = blockIdx.x * 256;
  float items[4];
  Load(storage.load).Load(in + first, items, n - first, 0.0f);
  __syncthreads();
  for (float& item : items) item = item * 2 + 1;
  Store(storage.store).Store(out + first, items, n - first);
}
template __global__ void block_load_store<0>(float*, const float*, int);
template __global__ void block_load_store<1>(float*, const float*, int);
template __global__ void block_load_store<2>(float*, const float*, int);
template __global__ void block_load_store<3>(float*, const float*, int);
template __global__ void block_load_store<4>(float*, const float*, int);
template __global__ void block_load_store<5>(float*, const float*, int);

// launch: block_exchange_bytes bytes, grid 1, block 64, n 64
__global__ void block_exchange_bytes(unsigned char* out, const unsigned char* in, int n) {
  using Exchange = cub::BlockExchange<unsigned char, 64, 4>;
  __shared__ typename Exchange::TempStorage storage;
  unsigned char items[4];
  for (int k = 0; k < 4; ++k) items[k] = in[threadIdx.x * 4 + k];
  Exchange(storage).BlockedToStriped(items, items);
  for (int k = 0; k < 4; ++k) out[k * 64 + threadIdx.x] = static_cast<unsigned char>(items[k] + n);
}

// launch: block_radix_sort int, grid 1, block 64, n 256
__global__ void block_radix_sort(int* out, const int* in, int n) {
  using Sort = cub::BlockRadixSort<int, 64, 4>;
  __shared__ typename Sort::TempStorage storage;
  int keys[4];
  for (int k = 0; k < 4; ++k) keys[k] = in[threadIdx.x * 4 + k];
  Sort(storage).Sort(keys, 0, 10);
  for (int k = 0; k < 4; ++k)
    if (static_cast<int>(threadIdx.x) * 4 + k < n) out[threadIdx.x * 4 + k] = keys[k];
}

// launch: block_merge_sort int, grid 1, block 64, n 256
__global__ void block_merge_sort(int* out, const int* in, int n) {
  using Sort = cub::BlockMergeSort<int, 64, 4>;
  __shared__ typename Sort::TempStorage storage;
  int keys[4];
  for (int k = 0; k < 4; ++k) keys[k] = in[threadIdx.x * 4 + k];
  Sort(storage).Sort(keys, [](int a, int b) { return a < b; });
  for (int k = 0; k < 4; ++k)
    if (static_cast<int>(threadIdx.x) * 4 + k < n) out[threadIdx.x * 4 + k] = keys[k];
}

// launch: block_histogram<0> bytes, grid 1, block 64, n 256
// launch: block_histogram<1> bytes, grid 1, block 64, n 256
template <int kAlgorithm>
__global__ void block_histogram(unsigned* out, const unsigned char* in, int n) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 4, 256,
                                        static_cast<cub::BlockHistogramAlgorithm>(kAlgorithm)>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[256];
  unsigned char items[4];
  for (int k = 0; k < 4; ++k) items[k] = in[threadIdx.x * 4 + k];
  Histogram(storage).Histogram(items, bins);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 64) out[i] = bins[i];
}
template __global__ void block_histogram<0>(unsigned*, const unsigned char*, int);
template __global__ void block_histogram<1>(unsigned*, const unsigned char*, int);

// launch: warp_reduce<32> float, grid 1, block 128, n 128
// launch: warp_reduce<16> float, grid 1, block 128, n 128
// launch: warp_reduce<9> float, grid 1, block 128, n 128
template <int kThreads>
__global__ void warp_reduce(float* out, const float* in, int n) {
  using Reduce = cub::WarpReduce<float, kThreads>;
  __shared__ typename Reduce::TempStorage storage[16];
  const int group = threadIdx.x / kThreads;
  const float sum = Reduce(storage[group]).Sum(in[threadIdx.x]);
  if (threadIdx.x % kThreads == 0) out[group] = sum + n;
}
template __global__ void warp_reduce<32>(float*, const float*, int);
template __global__ void warp_reduce<16>(float*, const float*, int);
template __global__ void warp_reduce<9>(float*, const float*, int);

// launch: warp_scan<32> int, grid 1, block 64, n 64
// launch: warp_scan<9> int, grid 1, block 72, n 72
template <int kThreads>
__global__ void warp_scan(int* out, const int* in, int n) {
  using Scan = cub::WarpScan<int, kThreads>;
  __shared__ typename Scan::TempStorage storage[8];
  int sum;
  Scan(storage[threadIdx.x / kThreads]).InclusiveSum(in[threadIdx.x], sum);
  if (threadIdx.x < n) out[threadIdx.x] = sum;
}
template __global__ void warp_scan<32>(int*, const int*, int);
template __global__ void warp_scan<9>(int*, const int*, int);

// launch: groups_of_tiles int, grid 1, block 128, n 128
__global__ void groups_of_tiles(int* out, const int* in, int n) {
  __shared__ int sums[8];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
  block.sync();
  if (threadIdx.x < n)
    out[threadIdx.x] = sums[threadIdx.x & 7] + cg::inclusive_scan(tile, in[threadIdx.x]);
}

// launch: groups_coalesced int, grid 2, block 64, n 128
__global__ void groups_coalesced(int* out, const int* in, int n) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (in[i] % 3 == 0 && i < n) {
    const auto group = cg::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(&count, static_cast<int>(group.size()));
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// launch: groups_labeled int, grid 1, block 64, n 64
__global__ void groups_labeled(int* out, const int* in, int n) {
  __shared__ int sums[4];
  if (threadIdx.x < 4) sums[threadIdx.x] = n;
  __syncthreads();
  const int label = in[threadIdx.x] & 3;
  const auto same = cg::labeled_partition(cg::coalesced_threads(), label);
  const int sum = cg::reduce(same, in[threadIdx.x], cg::plus<int>());
  if (same.thread_rank() == 0) atomicAdd(&sums[label], sum);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = sums[threadIdx.x];
}
