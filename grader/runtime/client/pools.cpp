// Stream-ordered allocation, and the pools that it comes from. A pool is a name and what was asked
// of it here: memory is given back at once, and no address is ever given out twice.
//
// Allocating and freeing are work of the stream: the grader finds work of other streams that
// nothing orders behind the one, or before the other.
#include "runtime/client/caller.hpp"
#include "runtime/client/grader.hpp"
#include "runtime/client/managed.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/client/work.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

// The type that the API names and hides.
struct CUmemPoolHandle_st {
  std::uint64_t used = 0, most_used = 0; // bytes
  std::map<cudaMemPoolAttr, std::uint64_t> set;
};

using namespace course::client;

namespace {

constexpr const char* kNoPool = "this is not a memory pool";

struct Pools {
  std::mutex mutex;
  CUmemPoolHandle_st standard;
  cudaMemPool_t current = &standard;
  std::map<cudaMemPool_t, std::unique_ptr<CUmemPoolHandle_st>> made;
  struct Taken {
    cudaMemPool_t pool = nullptr;
    std::uint64_t size = 0;
  };
  std::map<const void*, Taken> taken;

  bool has(cudaMemPool_t pool) const { return pool == &standard || made.contains(pool); }
};

Pools& pools() {
  static auto& all = *new Pools; // a program's own exit handlers may still free
  return all;
}

// On a GPU it would become a node of the graph.
cudaError_t refuse_in_capture(const char* call) {
  return static_cast<cudaError_t>(refuse(call, "while its stream is captured"));
}

cudaError_t allocate_in(const char* call, void** out, std::size_t size, cudaMemPool_t pool,
                        cudaStream_t stream) {
  if (!out) return fail(call, cudaErrorInvalidValue, "a null pointer for the address");
  *out = nullptr;
  if (!is_stream(stream)) return fail(call, cudaErrorInvalidResourceHandle, "this is not a stream");
  if (is_captured(stream)) return refuse_in_capture(call);
  if (const auto capturing = forbidden_in_capture(call, stream)) return capturing;
  tell_called_from(call);
  const OnStream on(stream);
  const auto status =
      ask<protocol::Address>(call, protocol::AllocateInStream{size}, [&](const auto& answer) {
        *out = reinterpret_cast<void*>(answer.address);
      });
  if (status != cudaSuccess || !*out) return status;
  const std::lock_guard lock(pools().mutex);
  if (!pool) pool = pools().current;
  pools().taken[*out] = {pool, size};
  pool->used += size;
  pool->most_used = std::max(pool->most_used, pool->used);
  return status;
}

void give_back(const void* pointer) {
  const std::lock_guard lock(pools().mutex);
  const auto found = pools().taken.find(pointer);
  if (found == pools().taken.end()) return;
  if (pools().has(found->second.pool)) found->second.pool->used -= found->second.size;
  pools().taken.erase(found);
}

cudaError_t current_pool(const char* call, cudaMemPool_t* out, int device) {
  if (!out) return fail(call, cudaErrorInvalidValue, kNoPlace);
  if (device != 0) return fail(call, cudaErrorInvalidDevice, "there is one device, 0");
  *out = pools().current;
  return cudaSuccess;
}

bool is_int(cudaMemPoolAttr attribute) {
  return attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

} // namespace

extern "C" {

cudaError_t cudaMallocAsync(void** out, size_t size, cudaStream_t stream) {
  return allocate_in("cudaMallocAsync", out, size, nullptr, stream);
}
COURSE_ALSO(cudaMallocAsync_ptsz, cudaMallocAsync);

cudaError_t cudaMallocFromPoolAsync(void** out, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  constexpr const char* kCall = "cudaMallocFromPoolAsync";
  if (!pools().has(pool)) return fail(kCall, cudaErrorInvalidValue, kNoPool);
  return allocate_in(kCall, out, size, pool, stream);
}
COURSE_ALSO(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  constexpr const char* kCall = "cudaFreeAsync";
  if (!is_stream(stream))
    return fail(kCall, cudaErrorInvalidResourceHandle, "this is not a stream");
  if (is_captured(stream)) return refuse_in_capture(kCall);
  if (const auto capturing = forbidden_in_capture(kCall, stream)) return capturing;
  const OnStream on(stream);
  const auto status = tell(kCall, protocol::FreeInStream{address_of(pointer)});
  if (status != cudaSuccess) return status;
  forget_managed(pointer);
  give_back(pointer);
  return status;
}
COURSE_ALSO(cudaFreeAsync_ptsz, cudaFreeAsync);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  constexpr const char* kCall = "cudaDeviceGetDefaultMemPool";
  const auto status = current_pool(kCall, out, device);
  if (status == cudaSuccess) *out = &pools().standard;
  return status;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return current_pool("cudaDeviceGetMemPool", out, device);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* out, cudaMemLocation* where,
                                     cudaMemAllocationType type) {
  constexpr const char* kCall = "cudaMemGetDefaultMemPool";
  if (!out || !where) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  if (where->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned)
    return static_cast<cudaError_t>(refuse(kCall, "for memory of the host, or managed memory"));
  const auto status = current_pool(kCall, out, where->id);
  if (status == cudaSuccess) *out = &pools().standard;
  return status;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  constexpr const char* kCall = "cudaDeviceSetMemPool";
  if (device != 0) return fail(kCall, cudaErrorInvalidDevice, "there is one device, 0");
  const std::lock_guard lock(pools().mutex);
  if (!pools().has(pool)) return fail(kCall, cudaErrorInvalidValue, kNoPool);
  pools().current = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps* properties) {
  constexpr const char* kCall = "cudaMemPoolCreate";
  if (!out || !properties) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  const bool on_device = properties->location.type == cudaMemLocationTypeDevice;
  if (properties->allocType != cudaMemAllocationTypePinned ||
      (on_device && properties->location.id != 0))
    return fail(kCall, cudaErrorInvalidValue, "it is for pinned memory of device 0");
  if (!on_device) return static_cast<cudaError_t>(refuse(kCall, "for memory of the host"));
  auto pool = std::make_unique<CUmemPoolHandle_st>();
  const std::lock_guard lock(pools().mutex);
  *out = pool.get();
  pools().made[*out] = std::move(pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  constexpr const char* kCall = "cudaMemPoolDestroy";
  const std::lock_guard lock(pools().mutex);
  if (!pools().made.erase(pool)) return fail(kCall, cudaErrorInvalidValue, kNoPool);
  if (pools().current == pool) pools().current = &pools().standard;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  if (pools().has(pool)) return context_error("cudaMemPoolTrimTo");
  return fail("cudaMemPoolTrimTo", cudaErrorInvalidValue, kNoPool);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  constexpr const char* kCall = "cudaMemPoolSetAttribute";
  const std::lock_guard lock(pools().mutex);
  if (!pools().has(pool) || !value) return fail(kCall, cudaErrorInvalidValue, kNoPool);
  const std::uint64_t number = is_int(attribute)
                                   ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                   : *static_cast<std::uint64_t*>(value);
  switch (attribute) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
  case cudaMemPoolAttrReleaseThreshold:
    pool->set[attribute] = number;
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh:
    if (number != 0) return fail(kCall, cudaErrorInvalidValue, "it can only be set to 0");
    pool->most_used = pool->used;
    return cudaSuccess;
  default:
    return fail(kCall, cudaErrorInvalidValue, "this attribute cannot be set");
  }
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  constexpr const char* kCall = "cudaMemPoolGetAttribute";
  const std::lock_guard lock(pools().mutex);
  if (!pools().has(pool) || !value) return fail(kCall, cudaErrorInvalidValue, kNoPool);
  if (is_int(attribute)) {
    const auto set = pool->set.find(attribute);
    *static_cast<int*>(value) = set == pool->set.end() ? 1 : static_cast<int>(set->second);
    return cudaSuccess;
  }
  auto& out = *static_cast<std::uint64_t*>(value);
  switch (attribute) {
  case cudaMemPoolAttrReleaseThreshold:
    out = pool->set[attribute];
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemCurrent:
  case cudaMemPoolAttrUsedMemCurrent:
    out = pool->used;
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh:
    out = pool->most_used;
    return cudaSuccess;
  default:
    return fail(kCall, cudaErrorInvalidValue, "there is no such attribute");
  }
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                 size_t count) {
  constexpr const char* kCall = "cudaMemPoolSetAccess";
  if (!pools().has(pool)) return fail(kCall, cudaErrorInvalidValue, kNoPool);
  for (size_t i = 0; i < count; ++i)
    if (access[i].location.id != 0)
      return fail(kCall, cudaErrorInvalidDevice, "there is one device, 0");
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* where) {
  constexpr const char* kCall = "cudaMemPoolGetAccess";
  if (!pools().has(pool) || !flags || !where) return fail(kCall, cudaErrorInvalidValue, kNoPool);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}

} // extern "C"
