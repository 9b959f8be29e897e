#include "runtime/client/managed.hpp"

#include "runtime/client/caller.hpp"
#include "runtime/client/grader.hpp"

#include <fcntl.h>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace course::client {

namespace {

// Never destroyed: a program's own exit handlers may still free.
struct Managed {
  std::mutex mutex;
  std::map<std::uint64_t, std::size_t> sizes; // by address
  struct Advice {
    bool read_mostly = false;
    std::optional<cudaMemLocation> preferred, prefetched;
    std::vector<int> accessed_by;
  };
  std::map<std::uint64_t, Advice> advice; // by the allocation's address
};

Managed& managed() {
  static auto& made = *new Managed;
  return made;
}

} // namespace

bool map_shared(const protocol::Shared& shared, std::size_t size) {
  const int file = open(shared.path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  void* wanted = reinterpret_cast<void*>(shared.address);
  void* got = mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
  close(file);
  if (got == wanted) {
    const std::lock_guard lock(managed().mutex);
    managed().sizes[shared.address] = size;
    return true;
  }
  if (got != MAP_FAILED) munmap(got, size);
  return false;
}

cudaError_t allocate_managed(const char* call, void** out, std::size_t size) {
  if (!out) return fail(call, cudaErrorInvalidValue, "a null pointer for the address");
  protocol::Shared shared;
  tell_called_from(call);
  const auto status = ask<protocol::Shared>(call, protocol::AllocateManaged{size},
                                            [&](const auto& answer) { shared = answer; });
  if (status != cudaSuccess) return status;
  const bool mapped =
      shared.path.empty() ? keep_on_host(shared.address, size) : map_shared(shared, size);
  if (!mapped) {
    tell(call, protocol::Free{shared.address});
    return fail(call, cudaErrorMemoryAllocation, "the program has something at this address");
  }
  const std::lock_guard lock(managed().mutex);
  managed().sizes[shared.address] = size;
  *out = reinterpret_cast<void*>(shared.address);
  return cudaSuccess;
}

bool is_managed(const void* pointer) {
  if (is_registered(pointer)) return true;
  const std::lock_guard lock(managed().mutex);
  const auto& sizes = managed().sizes;
  const auto after = sizes.upper_bound(address_of(pointer));
  return after != sizes.begin() &&
         address_of(pointer) - std::prev(after)->first < std::prev(after)->second;
}

bool any_managed() {
  if (any_registered()) return true;
  const std::lock_guard lock(managed().mutex);
  return !managed().sizes.empty();
}

void forget_managed(void* pointer) {
  const std::lock_guard lock(managed().mutex);
  const auto found = managed().sizes.find(address_of(pointer));
  if (found == managed().sizes.end()) return;
  munmap(pointer, found->second);
  forget_on_host(found->first);
  managed().advice.erase(found->first);
  managed().sizes.erase(found);
}

} // namespace course::client

using namespace course::client;

namespace {

// What was said of the allocation that holds these bytes, for `use` to read or change.
template <class Use>
cudaError_t advise(const char* call, const void* pointer, std::size_t size, Use use) {
  {
    const std::lock_guard lock(managed().mutex);
    const auto& sizes = managed().sizes;
    const auto after = sizes.upper_bound(address_of(pointer));
    if (after != sizes.begin()) {
      const auto& [begin, whole] = *std::prev(after);
      const auto offset = address_of(pointer) - begin;
      if (offset < whole && size <= whole - offset) {
        use(managed().advice[begin]);
        return context_error(call);
      }
    }
  }
  return fail(call, cudaErrorInvalidValue, "these bytes are not all of managed memory");
}

} // namespace

extern "C" {

cudaError_t cudaMallocManaged(void** out, size_t size, unsigned flags) {
  constexpr const char* kCall = "cudaMallocManaged";
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return fail(kCall, cudaErrorInvalidValue, "no such flag");
  }
  return allocate_managed(kCall, out, size);
}

// Advice about where memory should be: here it is in one place, and what was said is remembered.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t size, cudaMemLocation where,
                                 unsigned flags, cudaStream_t) {
  constexpr const char* kCall = "cudaMemPrefetchAsync";
  if (flags) return fail(kCall, cudaErrorInvalidValue, "no such flag");
  return advise(kCall, pointer, size, [&](auto& advice) { advice.prefetched = where; });
}
COURSE_ALSO(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);

cudaError_t cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise what,
                          cudaMemLocation where) {
  return advise("cudaMemAdvise", pointer, size, [&](auto& advice) {
    switch (what) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      advice.read_mostly = what == cudaMemAdviseSetReadMostly;
      break;
    case cudaMemAdviseSetPreferredLocation:
      advice.preferred = where;
      break;
    case cudaMemAdviseUnsetPreferredLocation:
      advice.preferred.reset();
      break;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy: {
      const int device = where.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : where.id;
      std::erase(advice.accessed_by, device);
      if (what == cudaMemAdviseSetAccessedBy) advice.accessed_by.push_back(device);
      break;
    }
    }
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  constexpr const char* kCall = "cudaMemRangeGetAttribute";
  if (!data || size < sizeof(int)) return fail(kCall, cudaErrorInvalidValue, kNoPlace);
  bool known = true;
  const auto status = advise(kCall, pointer, bytes, [&](const auto& advice) {
    auto* out = static_cast<int*>(data);
    const auto id = [](const auto& where) {
      return !where                                   ? cudaInvalidDeviceId
             : where->type == cudaMemLocationTypeHost ? cudaCpuDeviceId
                                                      : where->id;
    };
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *out = advice.read_mostly;
      break;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId:
      *out = id(advice.preferred);
      break;
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *out = id(advice.prefetched);
      break;
    case cudaMemRangeAttributePreferredLocationType:
      *out = advice.preferred ? advice.preferred->type : cudaMemLocationTypeInvalid;
      break;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *out = advice.prefetched ? advice.prefetched->type : cudaMemLocationTypeInvalid;
      break;
    case cudaMemRangeAttributeAccessedBy:
      for (std::size_t i = 0; i < size / sizeof(int); ++i)
        out[i] = i < advice.accessed_by.size() ? advice.accessed_by[i] : cudaInvalidDeviceId;
      break;
    default:
      known = false;
    }
  });
  return status == cudaSuccess && !known
             ? fail(kCall, cudaErrorInvalidValue, "there is no such attribute")
             : status;
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes, cudaMemRangeAttribute* attributes,
                                      size_t count, const void* pointer, size_t bytes) {
  if (!data || !sizes || !attributes)
    return fail("cudaMemRangeGetAttributes", cudaErrorInvalidValue, "a null pointer");
  for (std::size_t i = 0; i < count; ++i)
    if (const auto status =
            cudaMemRangeGetAttribute(data[i], sizes[i], attributes[i], pointer, bytes))
      return status;
  return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t, unsigned) {
  constexpr const char* kCall = "cudaStreamAttachMemAsync";
  if (!is_managed(pointer)) return fail(kCall, cudaErrorInvalidValue, "this is not managed memory");
  return context_error(kCall);
}
COURSE_ALSO(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);

} // extern "C"
