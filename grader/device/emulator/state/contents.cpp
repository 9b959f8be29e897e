#include "device/emulator/state/contents.hpp"

#include "device/emulator/state/global_memory.hpp"
#include "device/splitmix64.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace course::emulator {
namespace {

// Eight words at a time, so that none waits for the product before it.
class Hash {
public:
  void add(const void* bytes, std::uint64_t size) {
    const auto* from = static_cast<const std::byte*>(bytes);
    for (; size >= sizeof parts_; size -= sizeof parts_, from += sizeof parts_) add_words(from);
    if (size == 0) return;
    std::byte last[sizeof parts_]{};
    std::memcpy(last, from, size);
    add_words(last);
  }
  std::uint64_t value(std::uint64_t page) const {
    std::uint64_t all = device::splitmix64(page + 1);
    for (const std::uint64_t part : parts_) all = device::splitmix64(all ^ part);
    return all;
  }

private:
  void add_words(const std::byte* from) {
    std::uint64_t words[8];
    std::memcpy(words, from, sizeof words);
    for (std::size_t i = 0; i < 8; ++i)
      parts_[i] = std::rotl((parts_[i] ^ words[i]) * 0x9fb21c651e98df25, 35);
  }

  std::uint64_t parts_[8] = {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0,
                             0x082efa98ec4e6c89, 0x452821e638d01377, 0xbe5466cf34e90c6c,
                             0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917};
};

std::uint64_t hash_of(const Allocation& memory, std::uint64_t page) {
  const std::uint64_t begin = page * kPageBytes, bytes = std::min(kPageBytes, memory.size - begin);
  Hash hash;
  hash.add(memory.bytes.get() + begin, bytes);
  if (memory.written) hash.add(&memory.written[begin / 64], (bytes + 63) / 64 * 8);
  return hash.value(page);
}

} // namespace

std::uint64_t Contents::new_number() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

void Contents::Pages::set_old(std::uint64_t page) {
  if (is_old[page]) return;
  is_old[page] = true;
  old.push_back(page);
}

void Contents::changed(std::uint64_t offset, std::uint64_t size) {
  if (size == 0) return;
  if (!pages_) {
    number_ = new_number();
    return;
  }
  for (std::uint64_t page = offset / kPageBytes; page <= (offset + size - 1) / kPageBytes; ++page)
    pages_->set_old(page);
}

std::uint64_t Contents::number(const Allocation& memory) {
  if (!pages_ || pages_->old.empty()) return number_;
  constexpr std::size_t kMostNumbers = 1u << 16;
  for (const std::uint64_t page : pages_->old) {
    std::uint64_t& hash = pages_->hashes[page];
    pages_->all ^= hash;
    hash = hash_of(memory, page);
    pages_->all ^= hash;
    pages_->is_old[page] = false;
  }
  pages_->old.clear();
  if (pages_->numbers.size() == kMostNumbers) pages_->numbers.clear();
  const auto [place, is_new] = pages_->numbers.try_emplace(pages_->all);
  if (is_new) place->second = new_number();
  return number_ = place->second;
}

void Contents::become(const Allocation& memory, std::uint64_t number) {
  this->number(memory);
  if (pages_) pages_->numbers[pages_->all] = number;
  number_ = number;
}

void Contents::know_again(const Allocation& memory) {
  if (pages_) return;
  pages_ = std::make_unique<Pages>();
  const std::uint64_t count = (memory.size + kPageBytes - 1) / kPageBytes;
  pages_->is_old.resize(count);
  pages_->hashes.resize(count);
  for (std::uint64_t page = 0; page < count; ++page)
    pages_->all ^= pages_->hashes[page] = hash_of(memory, page);
  pages_->numbers.emplace(pages_->all, number_);
}

} // namespace course::emulator
