// Memory of the program's own that it registers: cudaHostRegister under `course run`.
//
// Its pages become pages of files that the grader has as well (host_pages.hpp), at the addresses
// where they were, with what they held. Whoever writes there while they are replaced may lose it,
// as may a program that has a page of them from a file of its own; what lies on the stack is
// refused.
#include "runtime/client/caller.hpp"
#include "runtime/client/grader.hpp"
#include "runtime/client/managed.hpp"
#include "runtime/client/streams.hpp"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace course::client {

namespace {

std::uint64_t page_of(std::uint64_t address) {
  return address / kPage * kPage;
}
Pages pages_of(std::uint64_t address, std::uint64_t size) {
  return {page_of(address), page_of(address + size - 1) + kPage};
}
void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

// Never destroyed: a program's own exit handlers may still ask.
struct Registered {
  std::mutex mutex;
  std::map<std::uint64_t, std::size_t> sizes;   // by address
  std::map<std::uint64_t, std::uint32_t> edges; // pages of which something is not registered

  const std::pair<const std::uint64_t, std::size_t>* holding(std::uint64_t address) const {
    const auto after = sizes.upper_bound(address);
    if (after == sizes.begin()) return nullptr;
    const auto& range = *std::prev(after);
    return address - range.first < range.second ? &range : nullptr;
  }
  // Pages that lie in ranges other than the one at `address`.
  bool is_page_of_another(std::uint64_t page, std::uint64_t address) const {
    for (const auto& [begin, size] : sizes) {
      const auto pages = pages_of(begin, size);
      if (begin != address && page >= pages.begin && page < pages.end) return true;
    }
    return false;
  }
  template <class F>
  void for_edges(std::uint64_t address, std::size_t size, F&& f) {
    const auto pages = pages_of(address, size);
    if (address != pages.begin || address + kPage > address + size) f(pages.begin);
    if (address + size != pages.end) f(pages.end - kPage);
  }
};

Registered& registered() {
  static auto& made = *new Registered;
  return made;
}
std::atomic<std::size_t> registered_count{0};

// Why what is mapped there cannot be replaced; nullptr where it can be.
enum class Unfit { no, not_mapped, on_the_stack, of_a_file, not_writable };
Unfit fitness(Pages pages, bool read_only) {
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (!maps) return Unfit::not_mapped;
  auto found = Unfit::no;
  auto next = pages.begin; // behind what is known to be mapped
  char line[512];
  while (found == Unfit::no && next < pages.end && std::fgets(line, sizeof line, maps)) {
    std::uint64_t begin = 0, end = 0;
    char how[5] = "";
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, how) != 3 || end <= next)
      continue;
    // What was registered before is shared, and is a file's of ours.
    const bool ours = std::strstr(line, "memfd:course") != nullptr;
    if (begin > next || how[0] != 'r')
      found = Unfit::not_mapped;
    else if (here >= begin && here < end)
      found = Unfit::on_the_stack;
    else if (how[3] == 's' && !ours)
      found = Unfit::of_a_file;
    else if (how[1] != 'w' && !read_only && !ours) // ours may be guarded
      found = Unfit::not_writable;
    next = end;
  }
  std::fclose(maps);
  return found == Unfit::no && next < pages.end ? Unfit::not_mapped : found;
}

// Has `pages` become what is mapped at `from`, in one step.
bool put_in_place(void* from, Pages pages) {
  const auto size = pages.end - pages.begin;
  return mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, pointer_to(pages.begin)) !=
         MAP_FAILED;
}

bool replace_by(const std::string& path, Pages pages) {
  const auto size = pages.end - pages.begin;
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  void* shared = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (shared == MAP_FAILED) return false;
  std::memcpy(shared, pointer_to(pages.begin), size);
  if (put_in_place(shared, pages)) return true;
  munmap(shared, size);
  return false;
}

// The program's own again, with what they hold.
void take_back(Pages pages) {
  const auto size = pages.end - pages.begin;
  void* own = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (own == MAP_FAILED) return;
  std::memcpy(own, pointer_to(pages.begin), size);
  if (!put_in_place(own, pages)) munmap(own, size);
}

cudaError_t unfit(const char* call, Unfit why) {
  switch (why) {
  case Unfit::on_the_stack:
    return static_cast<cudaError_t>(refuse(call, "of memory on the stack"));
  case Unfit::of_a_file:
    return static_cast<cudaError_t>(refuse(call, "of memory that other processes share"));
  case Unfit::not_writable:
    return fail(call, cudaErrorInvalidValue,
                "the program may only read it, and cudaHostRegisterReadOnly does not say so");
  default:
    return fail(call, cudaErrorInvalidValue, "some of it is not mapped");
  }
}

} // namespace

bool any_registered() {
  return registered_count != 0;
}

bool is_registered(const void* pointer) {
  if (registered_count == 0) return false;
  const std::lock_guard lock(registered().mutex);
  return registered().holding(address_of(pointer)) != nullptr;
}

std::vector<Pages> without_edges(Pages pages) {
  if (!any_registered()) return {pages};
  const std::lock_guard lock(registered().mutex);
  std::vector<Pages> parts;
  const auto& edges = registered().edges;
  for (auto edge = edges.lower_bound(pages.begin); edge != edges.end() && edge->first < pages.end;
       ++edge) {
    if (edge->first > pages.begin) parts.push_back({pages.begin, edge->first});
    pages.begin = edge->first + kPage;
  }
  if (pages.begin < pages.end) parts.push_back(pages);
  return parts;
}

cudaError_t share_host(const char* call, void* memory, std::size_t size, bool read_only) {
  const auto address = address_of(memory);
  if (size > UINT64_MAX - address - kPage)
    return fail(call, cudaErrorInvalidValue, "more bytes than there are addresses");
  if (const auto why = fitness(pages_of(address, size), read_only); why != Unfit::no)
    return unfit(call, why);
  protocol::HostPieces pieces;
  tell_called_from(call);
  const auto status = ask<protocol::HostPieces>(call, protocol::ShareHost{address, size, read_only},
                                                [&](auto& answer) { pieces = std::move(answer); });
  if (status != cudaSuccess) return status;
  for (std::size_t i = 0; i < pieces.paths.size(); ++i)
    if (!replace_by(pieces.paths[i], {pieces.begins[i], pieces.ends[i]})) {
      tell(call, protocol::UnshareHost{address});
      return fail(call, cudaErrorMemoryAllocation);
    }
  const std::lock_guard lock(registered().mutex);
  registered().sizes[address] = size;
  registered().for_edges(address, size, [](auto page) { ++registered().edges[page]; });
  ++registered_count;
  return cudaSuccess;
}

cudaError_t unshare_host(const char* call, void* memory) {
  const auto address = address_of(memory);
  host_waited_for_all(call); // nothing is guarded any more
  if (const auto status = tell(call, protocol::UnshareHost{address}); status != cudaSuccess)
    return status;
  const std::lock_guard lock(registered().mutex);
  auto& all = registered();
  const auto found = all.sizes.find(address);
  if (found == all.sizes.end()) return cudaSuccess;
  auto pages = pages_of(address, found->second);
  if (all.is_page_of_another(pages.begin, address)) pages.begin += kPage;
  if (pages.begin < pages.end && all.is_page_of_another(pages.end - kPage, address))
    pages.end -= kPage;
  if (pages.begin < pages.end) take_back(pages);
  all.for_edges(address, found->second, [&](auto page) {
    if (--all.edges[page] == 0) all.edges.erase(page);
  });
  all.sizes.erase(found);
  --registered_count;
  return cudaSuccess;
}

} // namespace course::client
