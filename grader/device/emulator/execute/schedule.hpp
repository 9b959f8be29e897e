// Schedule: the order in which blocks are executed, and warps within a block. Nobody promises one
// on a GPU, so it may be drawn; the same number gives the same order on any machine.
#pragma once

#include "device/device.hpp"

#include <cstdint>

namespace course::emulator {

// A permutation of the numbers below `count`.
class Schedule {
public:
  Schedule(const device::Order&, std::uint64_t count);

  std::uint64_t at(std::uint64_t place) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(place) * step_ + first_) %
                                      count_);
  }

private:
  std::uint64_t count_, step_ = 1, first_ = 0; // step and count have no common divisor
};

} // namespace course::emulator
