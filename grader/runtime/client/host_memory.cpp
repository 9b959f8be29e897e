// Page-locked host memory, and what a pointer points to. Under unified addressing all of it is
// memory of the device as well, at the same address on both sides and whatever the flags say: like
// managed memory here. What a student's function allocates or registers is ordinary memory.
#include "runtime/client/grader.hpp"
#include "runtime/client/managed.hpp"

#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>

using namespace course::client;

namespace {

// Never destroyed: a program's own exit handlers may still free.
struct Pinned {
  struct Range {
    std::size_t size = 0;
    unsigned flags = 0; // as they were asked for
  };
  using Ranges = std::map<std::uint64_t, Range>; // by address
  std::mutex mutex;
  Ranges allocated, registered;
};

Pinned& pinned() {
  static auto& made = *new Pinned;
  return made;
}

const Pinned::Range* holding(const Pinned::Ranges& ranges, std::uint64_t address) {
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return nullptr;
  const auto& [begin, range] = *std::prev(after);
  return address - begin < range.size ? &range : nullptr;
}

cudaError_t allocate_mapped(const char* call, void** out, std::size_t size, unsigned flags) {
  const auto status = allocate_managed(call, out, size);
  if (status != cudaSuccess) return status;
  const std::lock_guard lock(pinned().mutex);
  pinned().allocated[address_of(*out)] = {size, flags};
  return status;
}

cudaError_t allocate_host(const char* call, void** out, std::size_t size, unsigned flags) {
  if (!out) return fail(call, cudaErrorInvalidValue, "a null pointer for the address");
  *out = nullptr;
  if (size == 0) return context_error(call);
  if (is_live()) return allocate_mapped(call, out, size, flags);
  if (size > SIZE_MAX - kPage) return fail(call, cudaErrorMemoryAllocation);
  void* memory = std::aligned_alloc(kPage, (size + kPage - 1) / kPage * kPage);
  if (!memory) return fail(call, cudaErrorMemoryAllocation);
  const std::lock_guard lock(pinned().mutex);
  pinned().allocated[address_of(memory)] = {size, flags};
  *out = memory;
  return context_error(call);
}

// Whether it was not there before.
bool note_registered(const void* memory, Pinned::Range range) {
  const std::lock_guard lock(pinned().mutex);
  return pinned().registered.emplace(address_of(memory), range).second;
}

// Whether it was there.
bool forget_registered(const void* memory) {
  const std::lock_guard lock(pinned().mutex);
  return pinned().registered.erase(address_of(memory)) != 0;
}

} // namespace

bool course::client::is_pinned(const void* pointer) {
  const std::lock_guard lock(pinned().mutex);
  return is_registered(pointer) || holding(pinned().allocated, address_of(pointer)) ||
         holding(pinned().registered, address_of(pointer));
}

extern "C" {

cudaError_t cudaMallocHost(void** out, size_t size) {
  return allocate_host("cudaMallocHost", out, size, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void** out, size_t size, unsigned flags) {
  constexpr unsigned kFlags =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (flags & ~kFlags) return fail("cudaHostAlloc", cudaErrorInvalidValue, "no such flag");
  if (!(flags & cudaHostAllocMapped) || size == 0)
    return allocate_host("cudaHostAlloc", out, size, flags);
  return allocate_mapped("cudaHostAlloc", out, size, flags);
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* memory) {
  constexpr const char* kCall = "cudaHostGetFlags";
  if (!flags) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  {
    const std::lock_guard lock(pinned().mutex);
    const auto* range = holding(pinned().allocated, address_of(memory));
    if (!range) range = holding(pinned().registered, address_of(memory));
    if (range) {
      *flags = range->flags | cudaHostAllocMapped; // as on an H200: under unified addressing all is
      return context_error(kCall);
    }
  }
  return fail(kCall, cudaErrorInvalidValue, "this is not page-locked memory");
}

cudaError_t cudaHostGetDevicePointer(void** out, void* memory, unsigned flags) {
  constexpr const char* kCall = "cudaHostGetDevicePointer";
  if (!out) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the answer");
  *out = nullptr;
  if (flags != 0) return fail(kCall, cudaErrorInvalidValue, "no such flag");
  if (!is_pinned(memory))
    return fail(kCall, cudaErrorInvalidValue, "this is not page-locked memory");
  if (!is_managed(memory))
    return static_cast<cudaError_t>(refuse(kCall, "in a function that is graded"));
  *out = memory;
  return context_error(kCall);
}

cudaError_t cudaFreeHost(void* memory) {
  constexpr const char* kCall = "cudaFreeHost";
  if (!memory) return context_error(kCall);
  bool known = false;
  {
    const std::lock_guard lock(pinned().mutex);
    known = pinned().allocated.erase(address_of(memory)) != 0;
  }
  if (!known)
    return fail(kCall, cudaErrorInvalidValue, "this is not the address of page-locked memory");
  if (is_of_cuda(memory)) return cudaFree(memory); // it was mapped
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* memory, size_t size, unsigned flags) {
  constexpr const char* kCall = "cudaHostRegister";
  // An H200 refuses cudaHostRegisterIoMemory for memory that is none.
  constexpr unsigned kFlags =
      cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
  if (!memory || size == 0 || flags & ~kFlags) {
    return fail(kCall, cudaErrorInvalidValue, "no memory, or no such flag");
  }
  if (is_of_cuda(memory)) return fail(kCall, cudaErrorInvalidValue, "this memory comes from CUDA");
  if (is_live()) {
    const auto status = share_host(kCall, memory, size, flags & cudaHostRegisterReadOnly);
    if (status == cudaSuccess) note_registered(memory, {size, flags});
    return status;
  }
  return note_registered(memory, {size, flags}) ? context_error(kCall)
                                                : fail(kCall, cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void* memory) {
  constexpr const char* kCall = "cudaHostUnregister";
  if (!memory || is_of_cuda(memory))
    return fail(kCall, cudaErrorInvalidValue, "this is not memory that was registered");
  if (is_live()) {
    const auto status = unshare_host(kCall, memory);
    if (status == cudaSuccess) forget_registered(memory);
    return status;
  }
  return forget_registered(memory) ? context_error(kCall)
                                   : fail(kCall, cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  constexpr const char* kCall = "cudaPointerGetAttributes";
  if (!attributes) return fail(kCall, cudaErrorInvalidValue, "a null pointer for the answer");
  *attributes = {};
  auto* plain = const_cast<void*>(pointer);
  if (is_device(pointer)) {
    bool found = false;
    const auto status = ask<protocol::Range>(kCall, protocol::RangeOf{address_of(pointer)},
                                             [&](const auto& range) { found = range.size != 0; });
    if (status != cudaSuccess) return status;
    if (found) {
      const bool managed = is_managed(pointer);
      attributes->type = !managed             ? cudaMemoryTypeDevice
                         : is_pinned(pointer) ? cudaMemoryTypeHost
                                              : cudaMemoryTypeManaged;
      attributes->devicePointer = plain;
      if (managed) attributes->hostPointer = plain;
      return cudaSuccess;
    }
  }
  attributes->hostPointer = plain;
  if (is_pinned(pointer)) {
    attributes->type = cudaMemoryTypeHost;
    attributes->devicePointer = plain;
  } else {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = cudaInvalidDeviceId;
  }
  return context_error(kCall);
}

} // extern "C"
