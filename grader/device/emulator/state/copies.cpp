#include "device/emulator/state/copies.hpp"

#include <algorithm>

namespace course::emulator {

void Landing::clear() {
  if (copies) std::fill(words.begin(), words.end(), 0);
  copies = 0;
}

void Landing::expect(std::uint32_t offset, std::uint32_t bytes) {
  const std::size_t first = offset / 4, count = bytes / 4;
  if (words.size() < first + count) words.resize(first + count);
  for (std::size_t k = 0; k < count; ++k) ++words[first + k];
  ++copies;
}

void Landing::done(std::uint32_t offset, std::uint32_t bytes) {
  for (std::size_t k = 0; k < bytes / 4; ++k) --words[offset / 4 + k];
  --copies;
}

bool Landing::at(std::uint32_t offset, std::uint32_t width) const {
  for (std::size_t word = offset / 4; word <= (offset + width - 1) / 4; ++word)
    if (word < words.size() && words[word]) return true;
  return false;
}

} // namespace course::emulator
