// Which line is to blame for a number beyond its limit.
#pragma once

#include "device/device.hpp"

#include <cstdint>
#include <vector>

namespace course::judge {

// Of the rows of global loads, or stores, whose sectors together are more than would do: the one
// whose requests touch more sectors than their bytes fill, where that alone makes the difference;
// else the smallest without which the rest would do; else the heaviest. nullptr without any row.
const device::LineCounts* to_blame(const std::vector<device::LineCounts>& rows, bool stores,
                                   std::uint64_t limit);

// Sectors of a row's requests beyond those that full warps of its width fill.
std::uint64_t sectors_in_excess(const device::LineCounts& row);

} // namespace course::judge
