// Managed memory in a function that is graded, whose kernels are executed after it has returned.
//
// Until the device is first given work that may touch it, such memory is the host's alone: pages of
// this process, at the device's address. Then what host code has written there is sent, and from
// then on the host cannot reach it, since nobody knows yet what the device leaves there. A touch
// ends the function, and the grader says what it was (Session, protocol::Faulted).
#include "runtime/client/managed.hpp"

#include "runtime/client/grader.hpp"
#include "runtime/client/streams.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <sys/mman.h>

namespace course::client {

namespace {

struct Kept {
  std::mutex mutex;
  std::map<std::uint64_t, std::size_t> sizes; // by address, of what the host has still
};

Kept& kept() {
  static auto& made = *new Kept; // a program's own exit handlers may still free
  return made;
}

// What a page holds that nobody has written: no program writes a page of just these bytes.
const std::array<std::byte, kPage>& unwritten() {
  static const auto page = [] {
    std::array<std::byte, kPage> bytes;
    std::minstd_rand dice(1);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(dice() >> 8); });
    return bytes;
  }();
  return page;
}

std::size_t pages_in(std::size_t size) {
  return (size + kPage - 1) / kPage;
}

void send(const char* call, std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    const auto bytes = std::min<std::uint64_t>(end - begin, protocol::kChunk);
    protocol::Upload piece{{begin, bytes}, bytes, 1, bytes, runtime::Bytes(bytes)};
    std::memcpy(piece.bytes.data(), reinterpret_cast<const void*>(begin), bytes);
    tell(call, std::move(piece));
    begin += bytes;
  }
}

// Whole pages that were written, without what lies behind the memory's end.
void send_written(const char* call, std::uint64_t begin, std::size_t size) {
  const auto is_written = [&](std::size_t page) {
    const auto* bytes = reinterpret_cast<const void*>(begin + page * kPage);
    return std::memcmp(bytes, unwritten().data(), kPage) != 0;
  };
  for (std::size_t page = 0; page < pages_in(size);) {
    auto after = page;
    while (after < pages_in(size) && is_written(after)) ++after;
    send(call, begin + page * kPage, std::min(begin + size, begin + after * kPage));
    page = after + 1;
  }
}

bool is_in(std::uint64_t begin, std::size_t size, std::uint64_t address) {
  return address >= begin && address - begin < size;
}

bool may_touch(const protocol::Request& request, std::uint64_t begin, std::size_t size) {
  const auto any = [&](auto... rows) { return (is_in(begin, size, rows.address) || ...); };
  return std::visit(
      [&]<class T>(const T& work) {
        if constexpr (std::is_same_v<T, protocol::Copy>) return any(work.to, work.from);
        if constexpr (std::is_same_v<T, protocol::Upload> || std::is_same_v<T, protocol::Fill>)
          return any(work.to);
        if constexpr (std::is_same_v<T, protocol::Download>) return any(work.from);
        return std::is_same_v<T, protocol::Launch> ||
               std::is_same_v<T, protocol::CooperativeLaunch> ||
               std::is_same_v<T, protocol::ClusterLaunch>;
      },
      request);
}

} // namespace

bool keep_on_host(std::uint64_t address, std::size_t size) {
  const auto pages = pages_in(size);
  void* const wanted = reinterpret_cast<void*>(address);
  void* const got = mmap(wanted, pages * kPage, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != wanted) {
    if (got != MAP_FAILED) munmap(got, pages * kPage);
    return false;
  }
  for (std::size_t page = 0; page < pages; ++page)
    std::memcpy(static_cast<std::byte*>(got) + page * kPage, unwritten().data(), kPage);
  const std::lock_guard lock(kept().mutex);
  kept().sizes[address] = size;
  return true;
}

void hand_over(const char* call, const protocol::Request& work) {
  std::map<std::uint64_t, std::size_t> touched;
  {
    const std::lock_guard lock(kept().mutex);
    for (const auto& [begin, size] : kept().sizes)
      if (may_touch(work, begin, size)) touched[begin] = size;
    for (const auto& [begin, size] : touched) kept().sizes.erase(begin);
  }
  if (touched.empty()) return;
  const OnStream on(nullptr);
  for (const auto& [begin, size] : touched) {
    send_written(call, begin, size);
    mprotect(reinterpret_cast<void*>(begin), pages_in(size) * kPage, PROT_NONE);
  }
  host_waited(call, nullptr); // every stream's work comes after what host code wrote before it
}

void forget_on_host(std::uint64_t address) {
  const std::lock_guard lock(kept().mutex);
  kept().sizes.erase(address);
}

} // namespace course::client
