// wrong: traffic, uses: each row is a bulk copy of its own, to padded rows

#include <cuda/ptx>
namespace ptx = cuda::ptx;
constexpr int kTile = 32, kThreads = 128, kPitch = 36;
__global__ void __launch_bounds__(kThreads)
    transpose_tiles(float* out, const float* in, int rows, int cols) {
  __shared__ alignas(128) float tile[kTile][kPitch], turned[kTile][kPitch];
  __shared__ uint64_t full;
  const int t = threadIdx.x, lane = t % 32;
  const int x = blockIdx.x * kTile, y = blockIdx.y * kTile;
  const int wide = min(kTile, cols - x), high = min(kTile, rows - y);
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &full, wide * high * 4);
    for (int r = 0; r < high; ++r)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[r],
                         in + (y + r) * cols + x, wide * 4, &full);
  }
  for (int row = t / 32; row < kTile; row += kThreads / 32)
    if (row >= high || lane >= wide) tile[row][lane] = 0;
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  for (int unit = t / 32; unit < kTile / 4; unit += kThreads / 32) {
    const auto four = *(const float4*)&tile[lane][unit * 4];
    turned[4 * unit][lane] = four.x;
    turned[4 * unit + 1][lane] = four.y;
    turned[4 * unit + 2][lane] = four.z;
    turned[4 * unit + 3][lane] = four.w;
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    for (int c = 0; c < wide; ++c)
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared,
                         out + (x + c) * rows + y, turned[c], high * 4);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
void transpose(float* out, const float* in, int rows, int cols) {
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, kThreads>>>(out, in, rows, cols);
}
