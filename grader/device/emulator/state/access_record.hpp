// When an access was and whose, in 64 bits. Time is counted in stamps: every barrier and __syncwarp
// takes a new one (check/race.hpp).
#pragma once

#include "device/emulator/decode/memory_operand.hpp"

#include <cstdint>

namespace course::emulator {

// An access to a granule, or several of one kind:
//
//   63            32 31         13   12    11    10   9     5 4     0
//  +----------------+-------------+-----+-----+-----+-------+-------+
//  |     stamp      |    site     |warps|lanes|atom.| warp  | lane  |
//  +----------------+-------------+-----+-----+-----+-------+-------+
//
// stamp: when. site: which instruction of the kernel. warps, lanes: the record stands
// for several of them, of which warp and lane name one. atom.: an atomic.
using Record = std::uint64_t;
inline constexpr Record kSeveralWarps = 1u << 12;
inline constexpr Record kSeveralLanes = 1u << 11;
inline constexpr Record kAtomic = 1u << 10;
inline constexpr Record kWarp = 0x3e0, kLane = 0x1f, kWho = kWarp | kLane;
inline constexpr Record kSeveral = kSeveralWarps | kSeveralLanes;

inline Record record(std::uint32_t stamp, std::uint32_t site, std::uint32_t warp) {
  return Record{stamp} << 32 | Record{site} << 13 | Record{warp} << 5;
}
inline std::uint32_t stamp_of(Record r) {
  return static_cast<std::uint32_t>(r >> 32);
}
inline std::uint32_t site_of(Record r) {
  return static_cast<std::uint32_t>(r >> 13 & 0x7ffff);
}
inline std::uint32_t warp_of(Record r) {
  return static_cast<std::uint32_t>(r >> 5 & 31);
}
inline std::uint32_t lane_of(Record r) {
  return static_cast<std::uint32_t>(r & 31);
}

} // namespace course::emulator
