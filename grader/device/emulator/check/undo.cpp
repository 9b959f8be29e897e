#include "device/emulator/check/undo.hpp"

#include "device/emulator/decode/windows.hpp"

#include <algorithm>
#include <iterator>

namespace course::emulator {

Undo Footprint::take_undo() {
  Undo undo;
  for (const Touched& touched : touched_) {
    const Undo::Place place{touched.memory, touched.page};
    if (touched.memory->base != kGridWorkspace) { // which each cooperative launch has anew
      const Traces& traces = *touched.footprint->traces.load(std::memory_order_relaxed);
      Undo::Touched& words = undo.words_[place];
      for (std::uint64_t k = 0; k < kPageBytes >> traces.shift; ++k) {
        const std::size_t word = (k << traces.shift) / 4;
        if (traces.of[k]) words.any[word] = true;
        if (traces.of[k] & kTraceChanges) words.changed[word] = true;
      }
    }
    if (!std::exchange(touched.footprint->saved, false)) continue;
    Undo::Page& page = undo.pages_[place];
    page.before = std::move(touched.footprint->before);
    Undo::settle(place, page);
  }
  return undo;
}

Undo Undo::of(Allocation& memory, std::uint64_t offset, std::uint64_t size) {
  Undo undo;
  const std::uint64_t last = (offset + size - 1) / kPageBytes;
  for (std::uint64_t index = offset / kPageBytes; size && index <= last; ++index) {
    Page& page = undo.pages_[{&memory, index}];
    page.before = std::make_unique<FootprintPage::Before>();
    page.before->take(memory, index);
  }
  return undo;
}

Undo Undo::of(std::byte* at, std::uint64_t size) {
  Undo undo;
  undo.apart_.push_back({at, device::Bytes(at, at + size)});
  return undo;
}

void Undo::settle(const Place& place, Page& page) {
  const auto& [memory, index] = place;
  const std::byte* now = memory->bytes.get() + index * kPageBytes;
  for (std::uint64_t i = 0; i < bytes_of_page(*memory, index); ++i)
    page.changed[i] = now[i] != page.before->bytes[i];
}

void Undo::settle() {
  for (auto& [place, page] : pages_) settle(place, page);
}

void Undo::apply() const {
  for (const auto& [place, page] : pages_) {
    const auto& [memory, index] = place;
    std::byte* now = memory->bytes.get() + index * kPageBytes;
    for (std::uint64_t i = 0; i < kPageBytes; ++i)
      if (page.changed[i]) now[i] = page.before->bytes[i];
    page.before->put_back_written(*memory, index);
  }
  for (auto each = apart_.rbegin(); each != apart_.rend(); ++each)
    std::ranges::copy(each->before, each->at);
}

void Undo::add(Undo&& later) {
  pages_.merge(later.pages_); // of a page in both: as it was before the first
  later.pages_.clear();
  std::ranges::move(later.apart_, std::back_inserter(apart_));
  later.apart_.clear();
}

bool Undo::is_on_heap() const {
  return std::ranges::any_of(words_,
                             [](const auto& one) { return one.first.first->base >= kHeap; });
}

std::uint64_t Undo::bytes() const {
  std::uint64_t apart = 0;
  for (const Apart& one : apart_) apart += one.before.size();
  return pages_.size() * kPageBytes + apart;
}

bool Undo::meets(const Undo& other) const {
  return std::ranges::any_of(words_, [&](const auto& mine) {
    const auto its = other.words_.find(mine.first);
    return its != other.words_.end() && ((mine.second.any & its->second.changed).any() ||
                                         (mine.second.changed & its->second.any).any());
  });
}

} // namespace course::emulator
