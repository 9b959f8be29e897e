// honest: a tile of cooperative groups reduces

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sum_rows(float* out, const float* in, int cols) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float sum = 0;
  for (int col = warp.thread_rank(); col < cols; col += 32)
    sum += in[blockIdx.x * cols + col];
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) out[blockIdx.x] = sum;
}

void row_sums(float* out, const float* in, int rows, int cols) {
  if (rows > 0) sum_rows<<<rows, 32>>>(out, in, cols);
}
