// Which of a warp's values have been seen: a set of at most 32, without allocation or clearing.
#pragma once

#include <bit>
#include <cstdint>

namespace course::model {

template <typename Value>
class LaneSet {
public:
  // Whether `value` was not in the set. At most 32 values in all: half the slots stay free, so the
  // search ends.
  bool insert(Value value) {
    int slot = static_cast<int>((std::uint64_t{value} * 0x9e3779b97f4a7c15u) >> 58);
    while (used_ >> slot & 1) {
      if (slots_[slot] == value) return false;
      slot = (slot + 1) % 64;
    }
    used_ |= std::uint64_t{1} << slot;
    slots_[slot] = value;
    return true;
  }

  int size() const { return std::popcount(used_); }

private:
  std::uint64_t used_ = 0;
  Value slots_[64];
};

} // namespace course::model
