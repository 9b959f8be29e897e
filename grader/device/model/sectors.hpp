// Sectors: the 32-byte blocks of global memory that a request touches.
//
// Rule, measured on an H200 (data/README.md): a load or store takes as many sectors as the active
// lanes touch distinct 32-byte blocks.
#pragma once

#include "device/model/request.hpp"

namespace course::model {

inline constexpr int kSectorBytes = 32;

// Addresses are in bytes. An access lies within one sector, as aligned ones of up to 32 bytes do; a
// misaligned one counts the sector of its first byte.
int sectors(std::uint32_t active, const std::array<std::uint64_t, kLanes>& address);

} // namespace course::model
