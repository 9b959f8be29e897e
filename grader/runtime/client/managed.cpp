#include "runtime/client/managed.hpp"

#include "runtime/client/grader.hpp"

#include <fcntl.h>
#include <iterator>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace course::client {

namespace {

// Never destroyed: a program's own exit handlers may still free.
struct Managed {
  std::mutex mutex;
  std::map<std::uint64_t, std::size_t> sizes; // by address
};

Managed& managed() {
  static auto& made = *new Managed;
  return made;
}

// Maps the file at its device address. False when that cannot be.
bool map(const protocol::Shared& shared, std::size_t size) {
  const int file = open(shared.path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  void* wanted = reinterpret_cast<void*>(shared.address);
  void* got = mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
  close(file);
  if (got == wanted) return true;
  if (got != MAP_FAILED) munmap(got, size);
  return false;
}

} // namespace

cudaError_t allocate_managed(const char* call, void** out, std::size_t size) {
  if (!out) return fail(call, cudaErrorInvalidValue, "a null pointer for the address");
  protocol::Shared shared;
  const auto status = ask<protocol::Shared>(call, protocol::AllocateManaged{size},
                                            [&](const auto& answer) { shared = answer; });
  if (status != cudaSuccess) return status;
  if (!map(shared, size)) {
    tell(call, protocol::Free{shared.address});
    return fail(call, cudaErrorMemoryAllocation, "the program has something at this address");
  }
  *out = reinterpret_cast<void*>(shared.address);
  const std::lock_guard lock(managed().mutex);
  managed().sizes[shared.address] = size;
  return cudaSuccess;
}

bool is_managed(const void* pointer) {
  const std::lock_guard lock(managed().mutex);
  const auto& sizes = managed().sizes;
  const auto after = sizes.upper_bound(address_of(pointer));
  return after != sizes.begin() &&
         address_of(pointer) - std::prev(after)->first < std::prev(after)->second;
}

void forget_managed(void* pointer) {
  const std::lock_guard lock(managed().mutex);
  const auto found = managed().sizes.find(address_of(pointer));
  if (found == managed().sizes.end()) return;
  munmap(pointer, found->second);
  managed().sizes.erase(found);
}

} // namespace course::client

using namespace course::client;

extern "C" {

cudaError_t cudaMallocManaged(void** out, size_t size, unsigned flags) {
  constexpr const char* kCall = "cudaMallocManaged";
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return fail(kCall, cudaErrorInvalidValue, "no such flag");
  }
  return allocate_managed(kCall, out, size);
}

// Advice about where memory should be: here it is in one place.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t, cudaMemLocation, unsigned,
                                 cudaStream_t) {
  constexpr const char* kCall = "cudaMemPrefetchAsync";
  if (!is_managed(pointer)) return fail(kCall, cudaErrorInvalidValue, "this is not managed memory");
  return context_error(kCall);
}
COURSE_ALSO(cudaMemPrefetchAsync_ptsz, cudaMemPrefetchAsync);

cudaError_t cudaMemAdvise(const void* pointer, size_t, cudaMemoryAdvise, cudaMemLocation) {
  constexpr const char* kCall = "cudaMemAdvise";
  if (!is_managed(pointer)) return fail(kCall, cudaErrorInvalidValue, "this is not managed memory");
  return context_error(kCall);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t, unsigned) {
  constexpr const char* kCall = "cudaStreamAttachMemAsync";
  if (!is_managed(pointer)) return fail(kCall, cudaErrorInvalidValue, "this is not managed memory");
  return context_error(kCall);
}
COURSE_ALSO(cudaStreamAttachMemAsync_ptsz, cudaStreamAttachMemAsync);

} // extern "C"
