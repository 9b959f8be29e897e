// Bulk copies by tensor maps: boxes in and out of shared memory.
#include <cuda.h>
#include <cuda/ptx>

#include <cstdint>

namespace ptx = cuda::ptx;

constexpr int kWords = 4096;

__device__ void wait(std::uint64_t* barrier) {
  while (!ptx::mbarrier_try_wait_parity(barrier, 0)) {
  }
}

// The box at (x, y), and what is around it in shared memory, word by word.
__device__ void load(const CUtensorMap& map, unsigned* out, int x, int y, unsigned bytes,
                     unsigned offset, bool waits) {
  __shared__ alignas(1024) unsigned tile[kWords];
  __shared__ std::uint64_t barrier;
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) tile[i] = 0xabababab;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   bytes);
    const int at[2] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile + offset / 4, &map, at,
                              &barrier);
  }
  if (waits) wait(&barrier);
  for (int i = threadIdx.x; i < kWords; i += blockDim.x) out[i] = tile[i];
}
__global__ void load_box(const __grid_constant__ CUtensorMap map, unsigned* out, int x, int y,
                         unsigned bytes, unsigned offset) {
  load(map, out, x, y, bytes, offset, true);
}
__global__ void load_unwaited(const __grid_constant__ CUtensorMap map, unsigned* out, int x, int y,
                              unsigned bytes, unsigned offset) {
  load(map, out, x, y, bytes, offset, false);
}
__global__ void load_cube(const __grid_constant__ CUtensorMap map, unsigned* out, int x, int y,
                          int z, unsigned bytes) {
  __shared__ alignas(1024) unsigned tile[kWords];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   bytes);
    const int at[3] = {x, y, z};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, at, &barrier);
  }
  __syncthreads();
  wait(&barrier);
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = tile[i];
}
// Words 0, 1, 2, … of a swizzled tile go out; `fences` between the stores and the copy.
__global__ void store_box(const __grid_constant__ CUtensorMap map, int x, int y, unsigned words,
                          unsigned bits, int fences) {
  __shared__ alignas(1024) unsigned tile[kWords];
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x) {
    const unsigned linear = i * 4;
    tile[(linear ^ ((linear >> 7 & bits) << 4)) / 4] = i;
  }
  if (fences) ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    const int at[2] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at, tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
