// wrong: uses: threads write the tile out, and store it turned for show
#include <cuda.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kTile = 32, kThreads = 128;
using Tile = float[kTile][kTile];

__global__ void __launch_bounds__(kThreads)
    transpose_tiles(const __grid_constant__ CUtensorMap from, float* out,
                    int rows, int cols) {
  __shared__ alignas(1024) Tile tile, turned;
  __shared__ uint64_t full;
  const int t = threadIdx.x, lane = t % 32;
  const int at[] = {int(blockIdx.x) * kTile, int(blockIdx.y) * kTile};
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                   ptx::space_shared, &full, sizeof tile);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile,
                              &from, at, &full);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  for (int unit = t / 32; unit < kTile / 4; unit += kThreads / 32) {
    const auto four = *(const float4*)&tile[lane][(unit ^ lane % 8) * 4];
    for (int e = 0; e < 4; ++e) {
      ((volatile float*)turned)[(4 * unit + e) * 32 + lane] = (&four.x)[e];
      if (at[0] + 4 * unit + e < cols && at[1] + lane < rows)
        out[(at[0] + 4 * unit + e) * rows + at[1] + lane] = (&four.x)[e];
    }
  }
}

CUtensorMap map_of(const float* matrix, int rows, int cols,
                   CUtensorMapSwizzle swizzle) {
  void* encode = nullptr;  // a function of the driver, without linking it
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                   cudaEnableDefault, &found);
  const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)};
  const cuuint64_t pitch[] = {cols * sizeof(float)};  // bytes
  const cuuint32_t box[] = {kTile, kTile}, step[] = {1, 1};
  CUtensorMap map = {};
  ((decltype(&cuTensorMapEncodeTiled))encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)matrix, size, pitch, box,
      step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

void transpose(float* out, const float* in, int rows, int cols) {
  const auto from = map_of(in, rows, cols, CU_TENSOR_MAP_SWIZZLE_128B);
  const auto to = map_of(out, cols, rows, CU_TENSOR_MAP_SWIZZLE_NONE);
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, kThreads>>>(from, out, rows, cols);
}
