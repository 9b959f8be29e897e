// 11_async_memory/3_tensor_map: a transpose by tensor maps
//
// `in` has rows x cols floats, both multiples of 4; out[c][r] = in[r][c]. Tiles
// of 32 x 32 come and go by tensor maps, which know where the matrices end.
// In between a warp reads a column of the tile: all of it is in one bank. A
// map has no padding, but a swizzle: the unit of 16 bytes that would be number
// u of row r is number u ^ r % 8, with CU_TENSOR_MAP_SWIZZLE_128B. That alone
// does not free a column of words.
//
//   ./course grade 11_async_memory/3_tensor_map    what is right, what is not
//   ./course hint  11_async_memory/3_tensor_map    one nudge more each time
#include <cuda.h>

#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kTile = 32, kThreads = 128;
using Tile = float[kTile][kTile];

__global__ void __launch_bounds__(kThreads)
    transpose_tiles(const __grid_constant__ CUtensorMap from,
                    const __grid_constant__ CUtensorMap to) {
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
  // Your work begins here.
  // TODO: the same, in units of 16 bytes, wherever the map puts them.
  for (int i = t / 32; i < kTile; i += kThreads / 32)
    turned[i][lane] = tile[lane][i];
  ptx::fence_proxy_async(ptx::space_shared);  // stores, then a bulk copy
  // Your work ends here.
  __syncthreads();
  if (t == 0) {
    const int there[] = {at[1], at[0]};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, there,
                              turned);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
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
  // Your work begins here.
  // TODO: a swizzle.
  const auto from = map_of(in, rows, cols, CU_TENSOR_MAP_SWIZZLE_NONE);
  // Your work ends here.
  const auto to = map_of(out, cols, rows, CU_TENSOR_MAP_SWIZZLE_NONE);
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_tiles<<<grid, kThreads>>>(from, to);
}
