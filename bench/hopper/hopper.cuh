// What the programs of this folder share: launches in clusters, barriers in memory and bulk copies
// as functions, and the clock.
//
// All of them measure the same way: blocks that ask for kAlone bytes have a multiprocessor to
// themselves; each kernel is launched twice, and what the second launch took counts; cycles are the
// multiprocessor's own.
#pragma once

#include "../contest/contest.cuh"

#include <cuda.h>

namespace hopper {

using contest::must;

constexpr int kAlone = 180'000; // bytes of dynamic shared memory

__device__ inline unsigned place(const void* in_shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(in_shared));
}
__device__ inline long long now() {
  long long cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

// Clusters.
__device__ inline unsigned rank() {
  unsigned of_block;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(of_block));
  return of_block;
}
__device__ inline unsigned in_block(unsigned at, unsigned of_rank) {
  unsigned there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(of_rank));
  return there;
}
__device__ inline void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

// Barriers in memory, by their place.
__device__ inline void make_barrier(unsigned at, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n"
               "fence.mbarrier_init.release.cluster;" ::"r"(at),
               "r"(arrivals)
               : "memory");
}
__device__ inline void arrive(unsigned at) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");
}
__device__ inline void arrive_expecting(unsigned at, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes)
               : "memory");
}
__device__ inline bool try_wait(unsigned at, unsigned parity) {
  unsigned is_past;
  asm volatile("{.reg .pred p;\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;}"
               : "=r"(is_past)
               : "r"(at), "r"(parity)
               : "memory");
  return is_past;
}
__device__ inline bool test_wait(unsigned at, unsigned parity) {
  unsigned is_past;
  asm volatile("{.reg .pred p;\n"
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
               "selp.u32 %0, 1, 0, p;}"
               : "=r"(is_past)
               : "r"(at), "r"(parity)
               : "memory");
  return is_past;
}
__device__ inline void wait(unsigned at, unsigned parity) {
  while (!try_wait(at, parity)) {
  }
}

// Copies that a barrier is told of.
__device__ inline void fence_for_copies() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void bulk_in(unsigned to, const void* from, unsigned bytes, unsigned barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}
__device__ inline void box_in(unsigned to, const CUtensorMap& map, int x, int y, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
               "l"(&map), "r"(x), "r"(y), "r"(barrier)
               : "memory");
}

// One launch in clusters of `blocks` blocks; waits for its end.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), int grid, int threads, int blocks, int shared_bytes,
            Arguments... arguments) {
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
       "shared memory");
  if (blocks > 8)
    must(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
         "more than eight blocks");
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  must(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), "launch");
  must(cudaDeviceSynchronize(), "kernel");
}

template <class T>
std::vector<T> on_host(const T* device, std::size_t count) {
  std::vector<T> values(count);
  must(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), "copy");
  return values;
}

// A map of a matrix of `width` by `height` elements; false: the driver refuses it.
inline bool encode(CUtensorMap* map, CUtensorMapDataType type, void* matrix, cuuint64_t width,
                   cuuint64_t height, cuuint64_t pitch, unsigned box_width, unsigned box_height,
                   CUtensorMapSwizzle swizzle) {
  using Encode =
      CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                   const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                   CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  static const auto of_driver = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    must(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                          cudaEnableDefault, &result),
         "cuTensorMapEncodeTiled");
    return reinterpret_cast<Encode>(found);
  }();
  const cuuint64_t size[] = {width, height}, stride[] = {pitch};
  const cuuint32_t box[] = {box_width, box_height}, one[] = {1, 1};
  return of_driver(map, type, 2, matrix, size, stride, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
                   swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

} // namespace hopper
