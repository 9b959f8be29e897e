#include "device/emulator/state/global_memory.hpp"

#include "device/emulator/decode/windows.hpp"
#include "device/emulator/state/device_heap.hpp"
#include "device/message_id.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace course::emulator {
namespace {

using device::Count;
using device::Message;
using device::Pointer;
using Says = device::MessageId;

std::uint64_t ones(std::uint64_t from, std::uint64_t to) { // bits [from, to) of a word
  const std::uint64_t upper = to == 64 ? ~0ull : (1ull << to) - 1;
  return upper & ~((1ull << from) - 1);
}

// Calls f(word, bits) for each word of a bit map that [offset, offset + width) touches.
template <typename F>
void for_words(std::uint64_t offset, std::uint64_t width, F&& f) {
  const std::uint64_t end = offset + width;
  while (offset < end) {
    const std::uint64_t word = offset / 64;
    const std::uint64_t stop = std::min(end, (word + 1) * 64);
    f(word, ones(offset - word * 64, stop - word * 64));
    offset = stop;
  }
}

bool overlaps(const Allocation& a, device::Address base, std::uint64_t size) {
  return a.base < base + std::max<std::uint64_t>(size, 1) &&
         base < a.base + std::max<std::uint64_t>(a.size, 1);
}

} // namespace

void in_large_pages(std::byte* bytes, std::uint64_t size) {
  constexpr std::uint64_t kLargePage = 2u << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes);
  const auto first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const auto last = (begin + size) / kLargePage * kLargePage;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

bool Allocation::are_written(std::uint64_t offset, std::uint64_t width) const {
  bool all = true;
  for_words(offset, width, [&](std::uint64_t word, std::uint64_t bits) {
    all = all && (__atomic_load_n(&written[word], __ATOMIC_RELAXED) & bits) == bits;
  });
  return all;
}

void Allocation::set_written(std::uint64_t offset, std::uint64_t width) {
  if (!written) return;
  for_words(offset, width, [&](std::uint64_t word, std::uint64_t bits) {
    std::uint64_t& bitmap = written[word];
    if (bits == ~0ull)
      __atomic_store_n(&bitmap, bits, __ATOMIC_RELAXED);
    else if ((__atomic_load_n(&bitmap, __ATOMIC_RELAXED) & bits) != bits)
      __atomic_fetch_or(&bitmap, bits, __ATOMIC_RELAXED);
  });
}

void Allocation::set_unwritten(std::uint64_t offset, std::uint64_t width) {
  if (!written) return;
  for_words(offset, width, [&](std::uint64_t word, std::uint64_t bits) {
    __atomic_fetch_and(&written[word], ~bits, __ATOMIC_RELAXED);
  });
}

void ReleaseBytes::operator()(std::byte* bytes) const {
  if (owned) std::free(bytes);
}

void ReleasePages::operator()(FootprintPage** pages) const {
  std::free(pages);
}

GlobalMemory::GlobalMemory() : heap_(std::make_unique<DeviceHeap>()) {}
GlobalMemory::~GlobalMemory() = default;

Allocation& GlobalMemory::insert(device::Address base, std::uint64_t size, std::string name) {
  auto place = std::lower_bound(allocations_.begin(), allocations_.end(), base,
                                [](const auto& a, device::Address at) { return a->base < at; });
  // What was freed gives way to what is allocated over it.
  const auto gives_way = [&](const Allocation& a) { return a.freed && overlaps(a, base, size); };
  while (place != allocations_.begin() && gives_way(**(place - 1)))
    place = allocations_.erase(place - 1);
  while (place != allocations_.end() && gives_way(**place)) place = allocations_.erase(place);

  auto allocation = std::make_unique<Allocation>();
  allocation->base = base;
  allocation->size = size;
  allocation->footprint.reset(
      static_cast<FootprintPage**>(std::calloc(size / kPageBytes + 2, sizeof(void*))));
  if (!allocation->footprint) throw std::bad_alloc();
  allocation->name = std::move(name);
  return **allocations_.insert(place, std::move(allocation));
}

Allocation& GlobalMemory::allocate(device::Address base, std::uint64_t size, std::string name,
                                   bool written) {
  // calloc: pages that nothing touches are never backed by memory. 64 bytes of slack, for atomics
  // on the word that holds a last half.
  std::unique_ptr<std::byte, ReleaseBytes> bytes(
      static_cast<std::byte*>(std::calloc(size + 64, 1)));
  if (!bytes) throw std::bad_alloc();
  in_large_pages(bytes.get(), size);
  auto bitmap = written ? nullptr : std::make_unique<std::uint64_t[]>(size / 64 + 1);
  Allocation& allocation = insert(base, size, std::move(name));
  allocation.bytes = std::move(bytes);
  allocation.written = std::move(bitmap);
  const auto [known, is_new] = new_contents_.try_emplace({base, size, written});
  if (is_new) known->second = Contents::new_number();
  allocation.contents.become(allocation, known->second);
  return allocation;
}

Allocation& GlobalMemory::place(device::Address base, std::uint64_t size, std::byte* bytes) {
  Allocation& allocation = insert(base, size, {});
  allocation.bytes = std::unique_ptr<std::byte, ReleaseBytes>(bytes, ReleaseBytes{false});
  return allocation;
}

void GlobalMemory::count_as_written() {
  for (const auto& allocation : allocations_) allocation->written.reset();
}

Allocation* GlobalMemory::free(device::Address at) {
  Allocation* allocation = find(at);
  if (!allocation || allocation->base != at || allocation->freed) return nullptr;
  allocation->freed = true;
  return allocation;
}

bool GlobalMemory::was_freed(device::Address base, std::uint64_t size) const {
  auto place = std::lower_bound(allocations_.begin(), allocations_.end(), base,
                                [](const auto& a, device::Address at) { return a->base < at; });
  if (place != allocations_.begin()) --place;
  for (; place != allocations_.end() && (*place)->base < base + std::max<std::uint64_t>(size, 1);
       ++place)
    if ((*place)->freed && overlaps(**place, base, size)) return true;
  return false;
}

Allocation* GlobalMemory::find(device::Address at) {
  if (at >= kHeap) return heap_->find(at);
  auto after = std::upper_bound(allocations_.begin(), allocations_.end(), at,
                                [](device::Address x, const auto& a) { return x < a->base; });
  if (after == allocations_.begin()) return nullptr;
  Allocation& candidate = **(after - 1);
  return at - candidate.base < std::max<std::uint64_t>(candidate.size, 1) ? &candidate : nullptr;
}

bool GlobalMemory::in_padding(device::Address at) const {
  constexpr std::uint64_t kPage = 2u << 20;
  const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), at,
                                      [](device::Address x, const auto& a) { return x < a->base; });
  if (after == allocations_.begin()) return false;
  const Allocation& before = **(after - 1);
  return !before.freed && at < (before.base + before.size + kPage - 1) / kPage * kPage;
}

const Allocation* GlobalMemory::nearest(device::Address at) const {
  const Allocation* best = nullptr;
  std::uint64_t least = 0;
  for (const auto& a : allocations_) {
    if (a->freed) continue;
    const std::uint64_t distance = at < a->base              ? a->base - at
                                   : at - a->base >= a->size ? at - a->base - a->size
                                                             : 0;
    if (best && distance >= least) continue;
    best = a.get();
    least = distance;
  }
  return best;
}

Message Allocation::called() const {
  if (!name.empty()) return Message(name);
  if (!named.empty()) return named;
  return base >= kHeap ? Message(Says::memory_of_malloc) : Message(Says::memory_at, Pointer{base});
}

Message Allocation::element(std::uint64_t offset, std::uint32_t width) const {
  if (size <= width) return called();
  return Message(Says::element_of, called(), offset / width, offset);
}

Message GlobalMemory::describe(device::Address at) const {
  constexpr device::Address kNullPage = 4096;
  constexpr std::uint64_t kNear = 1ull << 30;
  const auto with_size = [](const Allocation& memory) {
    return Message(Says::sized, memory.called(), Count{memory.size});
  };
  const auto behind = [&](const Allocation& memory, std::uint64_t past) {
    return past == 0 ? Message(Says::just_past_end, with_size(memory))
                     : Message(Says::past_end, Count{past}, with_size(memory));
  };
  if (at == 0) return Message(Says::null_pointer);
  if (at < kNullPage) return Message(Says::null_pointer_plus, at);
  if (at >= kHeap) {
    const Allocation* object = heap_->nearest(at);
    if (!object) return Message(Says::not_from_malloc, Pointer{at});
    return behind(*object, at - object->base - object->size);
  }
  if (at >= kConstantsOnHost) return Message(Says::constant_of_host, Pointer{at});
  const Allocation* near = nearest(at);
  const bool before = near && at < near->base;
  const std::uint64_t distance = !near    ? 0
                                 : before ? near->base - at
                                          : at - near->base - std::min(near->size, at - near->base);
  if (!near || distance > kNear) return Message(Says::nothing_allocated, Pointer{at});
  if (before) return Message(Says::before_start, Count{distance}, with_size(*near));
  if (at - near->base >= near->size) return behind(*near, distance);
  return Message(Says::bytes_into, near->called(), at - near->base);
}

} // namespace course::emulator
