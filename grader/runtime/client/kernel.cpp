// Questions about kernels: attributes, parameters, occupancy.
#include "runtime/client/registry.hpp"

#include <algorithm>

using namespace course::client;

namespace {

// Of the PTX and of the cubin.
int architecture() {
  return static_cast<int>(described().compute_capability);
}

} // namespace

extern "C" {

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  constexpr const char* kCall = "cudaFuncSetAttribute";
  cudaError_t status = cudaSuccess;
  Kernel* kernel = find_kernel(kCall, function, status);
  if (!kernel) return status;
  status = tell(kCall, protocol::SetKernelAttribute{kernel->info.id, attribute, value});
  if (status == cudaSuccess && attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
    kernel->large_clusters = value != 0;
  return status;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  constexpr const char* kCall = "cudaFuncGetAttributes";
  if (!attributes) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(kCall, function, status);
  if (!kernel) return status;
  return ask<protocol::Attributes>(
      kCall, protocol::KernelAttributes{kernel->info.id}, [&](const auto& answer) {
        *attributes = {};
        attributes->sharedSizeBytes = answer.shared;
        attributes->constSizeBytes = answer.constant;
        attributes->localSizeBytes = answer.local;
        attributes->maxThreadsPerBlock = answer.max_threads;
        attributes->numRegs = answer.registers;
        attributes->ptxVersion = architecture();
        attributes->binaryVersion = architecture();
        attributes->maxDynamicSharedSizeBytes = answer.max_dynamic_shared;
        attributes->preferredShmemCarveout = answer.carveout;
        attributes->nonPortableClusterSizeAllowed = kernel->large_clusters;
      });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
  constexpr const char* kCall = "cudaFuncSetCacheConfig";
  cudaError_t status = cudaSuccess;
  if (!find_kernel(kCall, function, status)) return status;
  if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual) {
    return fail(kCall, cudaErrorInvalidValue, "no such cache configuration");
  }
  return context_error(kCall); // a hint, and no more than that on this device
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  constexpr const char* kCall = "cudaFuncSetSharedMemConfig";
  cudaError_t status = cudaSuccess;
  if (!find_kernel(kCall, function, status)) return status;
  if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) {
    return fail(kCall, cudaErrorInvalidValue, "no such bank size");
  }
  return context_error(kCall); // banks have four bytes on this device, whatever is asked
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  constexpr const char* kCall = "cudaFuncGetName";
  if (!name) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(kCall, function, status);
  if (!kernel) return status;
  *name = kernel->name.c_str();
  return cudaSuccess;
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
  constexpr const char* kCall = "cudaFuncGetParamInfo";
  if (!offset) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(kCall, function, status);
  if (!kernel) return status;
  const auto& info = kernel->info;
  if (index >= info.sizes.size()) {
    return fail(kCall, cudaErrorInvalidValue, "the kernel has no such parameter");
  }
  *offset = info.offsets[index];
  if (size) *size = info.sizes[index];
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t dynamic,
                                                                   unsigned flags) {
  constexpr const char* kCall = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  if (!blocks) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(kCall, function, status);
  if (!kernel) return status;
  if (flags > cudaOccupancyDisableCachingOverride) {
    return fail(kCall, cudaErrorInvalidValue, "no such flag");
  }
  return ask<protocol::Count>(
      kCall, protocol::ActiveBlocks{kernel->info.id, threads, dynamic},
      [&](const auto& answer) { *blocks = static_cast<int>(answer.count); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t dynamic) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic,
                                                                cudaOccupancyDefault);
}

// As many as there is room for. How a GPU's multiprocessors are grouped, which a large cluster has
// to fit into, is not the same on all of them.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  constexpr const char* kCall = "cudaOccupancyMaxActiveClusters";
  if (!clusters || !config) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(kCall, function, status);
  if (!kernel) return status;
  std::uint64_t blocks = 1; // of a cluster
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const auto& size = config->attrs[i].val.clusterDim;
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      blocks = std::uint64_t{size.x} * size.y * size.z;
  }
  if (blocks == 0 || blocks > described().largest_cluster)
    return fail(kCall, cudaErrorInvalidClusterSize, "no such cluster");
  const auto threads = config->blockDim.x * config->blockDim.y * config->blockDim.z;
  return ask<protocol::Count>(
      kCall,
      protocol::ActiveBlocks{kernel->info.id, static_cast<int>(threads), config->dynamicSmemBytes},
      [&](const auto& answer) {
        *clusters = static_cast<int>(answer.count * described().multiprocessors / blocks);
      });
}

// Where a multiprocessor has room for one block, there is room for a cluster of any size. More
// than eight blocks are not portable, and a kernel has to ask for them.
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  constexpr const char* kCall = "cudaOccupancyMaxPotentialClusterSize";
  if (!size || !config) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(kCall, function, status);
  if (!kernel) return status;
  const auto threads = config->blockDim.x * config->blockDim.y * config->blockDim.z;
  return ask<protocol::Count>(
      kCall,
      protocol::ActiveBlocks{kernel->info.id, static_cast<int>(threads), config->dynamicSmemBytes},
      [&](const auto& answer) {
        const auto& gpu = described();
        const auto most = kernel->large_clusters ? gpu.largest_cluster : gpu.portable_cluster;
        *size = answer.count ? static_cast<int>(most) : 0;
      });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int threads) {
  constexpr const char* kCall = "cudaOccupancyAvailableDynamicSMemPerBlock";
  if (!bytes) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  cudaError_t status = cudaSuccess;
  const Kernel* kernel = find_kernel(kCall, function, status);
  if (!kernel) return status;
  return ask<protocol::Count>(kCall, protocol::AvailableShared{kernel->info.id, blocks, threads},
                              [&](const auto& answer) { *bytes = answer.count; });
}

} // extern "C"
