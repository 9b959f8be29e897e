// Where a lane has the byte at an offset of its stack, in Warp::local. As on a GPU, pieces of the
// lanes lie side by side, so that lanes at one offset are close together. No access goes beyond a
// piece: they are aligned, and of 16 bytes at most.
#pragma once

#include "device/emulator/state/lanes.hpp"

#include <cstddef>

namespace course::emulator {

inline constexpr std::size_t kLocalPiece = 16;
constexpr std::size_t local_place(std::size_t lane, std::size_t offset) {
  return (offset / kLocalPiece * kLanes + lane) * kLocalPiece + offset % kLocalPiece;
}

} // namespace course::emulator
