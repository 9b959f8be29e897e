// honest: one tile is on its way while another is turned

#include <cuda.h>

#include <cuda/ptx>
namespace ptx = cuda::ptx;
// A block goes down a column of tiles: while one is turned, the next is on its
// way.
constexpr int kTile = 32, kThreads = 128, kStages = 2;
using Tile = float[kTile][kTile];

__global__ void __launch_bounds__(kThreads)
    transpose_tiles(const __grid_constant__ CUtensorMap from,
                    const __grid_constant__ CUtensorMap to, int down) {
  __shared__ alignas(1024) Tile tile[kStages], turned[kStages];
  __shared__ uint64_t full[kStages];
  const int t = threadIdx.x, lane = t % 32, left = blockIdx.x * kTile;
  const auto ask = [&](int y, int s) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &full[s], sizeof(Tile));
    const int at[] = {left, y * kTile};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile[s],
                              &from, at, &full[s]);
  };
  if (t == 0) {
    for (auto& f : full) ptx::mbarrier_init(&f, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    if (int(blockIdx.y) < down) ask(blockIdx.y, 0);
  }
  __syncthreads();
  int count = 0;
  for (int y = blockIdx.y; y < down; y += gridDim.y, ++count) {
    const int s = count % kStages;
    if (t == 0 && y + gridDim.y < down) ask(y + gridDim.y, 1 - s);
    while (!ptx::mbarrier_try_wait_parity(&full[s], count / kStages % 2)) {
    }
    for (int u = t / 32; u < kTile / 4; u += kThreads / 32) {
      const float4 v =
          reinterpret_cast<const float4*>(tile[s][lane])[u ^ lane % 8];
      turned[s][4 * u][lane] = v.x;
      turned[s][4 * u + 1][lane] = v.y;
      turned[s][4 * u + 2][lane] = v.z;
      turned[s][4 * u + 3][lane] = v.w;
    }
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
      const int there[] = {y * kTile, left};
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to,
                                there, turned[s]);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(
          ptx::n32_t<1>());  // the one before: its tile is free
    }
    __syncthreads();
  }
  if (t == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}
CUtensorMap map_of(const float* matrix, int rows, int cols,
                   CUtensorMapSwizzle swizzle) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                   cudaEnableDefault, &found);
  const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)},
                   pitch[] = {cols * sizeof(float)};
  const cuuint32_t box[] = {kTile, kTile}, step[] = {1, 1};
  CUtensorMap map = {};
  ((decltype(&cuTensorMapEncodeTiled))encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)matrix, size, pitch, box,
      step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}
void transpose(float* out, const float* in, int rows, int cols) {
  const auto from = map_of(in, rows, cols, CU_TENSOR_MAP_SWIZZLE_128B),
             to = map_of(out, cols, rows, CU_TENSOR_MAP_SWIZZLE_NONE);
  const int across = (cols + kTile - 1) / kTile,
            down = (rows + kTile - 1) / kTile;
  transpose_tiles<<<dim3(across, (down + 3) / 4), kThreads>>>(from, to, down);
}
