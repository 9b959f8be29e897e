// What the fullest bank has to serve. These loops are the hot path of the emulated device.
//
// A unit is what a lane asks of memory at once: a word, or the two or four neighbouring words of an
// 8- or 16-byte access. Aligned units never overlap in part, so counting units over 16 or 8 columns
// of banks counts words over the 32.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "device/model/request.hpp"

namespace course::model {

// The units that some lanes of a warp want, without the lanes that want none.
struct Wanted {
  std::array<std::uint32_t, kLanes> unit;
  int count = 0;
};

// The units of the lanes in `lanes`: offsets divided by 2^`shift`.
Wanted wanted(const std::array<std::uint32_t, kLanes>& offset, std::uint32_t lanes, int shift);

// Distinct units in the fullest of `columns` (a power of two, at most 32).
int most_distinct(const Wanted& wanted, int columns);

// Lanes in the fullest of `columns`: those that want the same unit count each.
int most_lanes(const Wanted& wanted, int columns);

// The distance between neighbouring lanes when it is the same for the whole warp. Distances of
// 32 MiB and more, which no memory has room for, count as not uniform: lanes could wrap around.
struct Stride {
  bool uniform = false;
  std::int32_t bytes = 0;
};
Stride stride_of(const std::array<std::uint32_t, kLanes>& offset);

// How many of `lanes` consecutive lanes meet in the fullest of as many columns, when neighbours are
// `units` apart: the largest power of two that divides `units`, or all of them.
inline int lanes_a_column(std::int32_t units, int lanes) {
  const int zeros = std::countr_zero(static_cast<std::uint32_t>(units) | 32u);
  return std::min(1 << zeros, lanes);
}

} // namespace course::model
