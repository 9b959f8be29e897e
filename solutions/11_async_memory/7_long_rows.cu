// 11_async_memory/7_long_rows: softmax of a row for eight
//
// Each row becomes shares of one, as in 04_reduction/9_softmax: out[r][c] =
// exp(in[r][c] - m) over the sum of exp(in[r][i] - m), where m is the largest
// element of the row. A row has 1 to 400,000 elements, too many for a block's
// shared memory, but eight blocks of a cluster can keep it. There may be no
// row. Block `rank` makes the shares from column `rank` * size on.
//
// The kernel below is right, but each of the eight blocks reads the whole row.
// Read every element once: let each block keep its part in shared memory, and
// let the blocks of a cluster read each other's largest elements and sums, and
// nothing else of each other.
//
//   ./course grade 11_async_memory/7_long_rows    what is right, what is not
//   ./course hint  11_async_memory/7_long_rows    one nudge more each time
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kBlocks = 8, kThreads = 512, kWarps = kThreads / 32;

struct Pair {  // what is known of some elements; a sum of 0: there are none
  float most, sum;
};

__device__ Pair together(Pair a, Pair b) {
  if (a.sum == 0) return b;
  if (b.sum == 0) return a;
  const float most = fmaxf(a.most, b.most);
  return {most, a.sum * __expf(a.most - most) + b.sum * __expf(b.most - most)};
}

__device__ Pair of_block(Pair own) {  // all threads call it, and all learn it
  __shared__ float mosts[kWarps], sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int by = 16; by > 0; by /= 2)
    own = together(own, {__shfl_xor_sync(~0u, own.most, by),
                         __shfl_xor_sync(~0u, own.sum, by)});
  if (lane == 0) mosts[warp] = own.most, sums[warp] = own.sum;
  __syncthreads();
  Pair all{-INFINITY, 0};
  for (int w = 0; w < kWarps; ++w) all = together(all, {mosts[w], sums[w]});
  return all;
}

//! [kernel]
__global__ void __cluster_dims__(kBlocks) __launch_bounds__(kThreads)
    share_rows(float* out, const float* in, int cols, int size) {
  extern __shared__ float kept[];  // `size` elements
  const auto cluster = cg::this_cluster();
  const int first = cluster.block_rank() * size, t = threadIdx.x;
  const int count = max(0, min(size, cols - first));  // of this block
  const auto row = static_cast<long long>(blockIdx.x / kBlocks) * cols;
  // Your work begins here.
  __shared__ Pair known;  // of this block's part
  Pair own{-INFINITY, 0};
  for (int c = t; c < count; c += kThreads) {
    kept[c] = in[row + first + c];
    own = together(own, {kept[c], 1});
  }
  own = of_block(own);
  if (t == 0) known = own;
  cluster.sync();  // all eight are known
  Pair all{-INFINITY, 0};
  for (int r = 0; r < kBlocks; ++r)
    all = together(all, *cluster.map_shared_rank(&known, r));
  cluster.sync();  // nobody ends while others read
  for (int c = t; c < count; c += kThreads)
    out[row + first + c] = __expf(kept[c] - all.most) / all.sum;
  // Your work ends here.
}
//! [kernel]

void softmax(float* out, const float* in, int rows, int cols) {
  if (rows == 0) return;  // a grid must not be empty
  const int size = (cols + kBlocks - 1) / kBlocks, bytes = size * sizeof(float);
  cudaFuncSetAttribute(share_rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  share_rows<<<rows * kBlocks, kThreads, bytes>>>(out, in, cols, size);
}
