// A size or an index in three dimensions, as CUDA has them.
#pragma once

#include <cstdint>

namespace course::device {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  // The index that comes after `before` others, x running first.
  Dim3 index_of(std::uint64_t before) const {
    return {static_cast<std::uint32_t>(before % x), static_cast<std::uint32_t>(before / x % y),
            static_cast<std::uint32_t>(before / x / y)};
  }
  bool operator==(const Dim3&) const = default;
};

} // namespace course::device
