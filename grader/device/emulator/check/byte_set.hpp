// Some of the bytes of a block's shared memory, and how many they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace course::emulator {

class ByteSet {
public:
  // None of `size` bytes.
  void assign(std::size_t size) {
    has_.assign(size, false);
    count_ = 0;
  }
  // Both: whether that changed anything.
  bool put(std::uint64_t offset) {
    if (has_[offset]) return false;
    has_[offset] = true;
    ++count_;
    return true;
  }
  bool take(std::uint64_t offset) {
    if (!has_[offset]) return false;
    has_[offset] = false;
    --count_;
    return true;
  }
  std::uint64_t count() const { return count_; }

private:
  std::vector<bool> has_;
  std::uint64_t count_ = 0;
};

} // namespace course::emulator
