// Schedule: the order in which blocks are executed, and warps within a block. Nobody promises one
// on a GPU, so it may be drawn; the same number gives the same order on any machine. And which
// blocks are executed at all, where somebody asked for a sample.
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

// Some of the numbers below `count`, spread over them: the first, the last, and one of each of the
// equal stretches between. Within a stretch it is as good as drawn, as the blocks of a grid that
// are as far apart as its rows are long do much the same.
class Sample {
public:
  // `wanted` 0, or as many as there are: all of them, in order.
  Sample(std::uint64_t wanted, std::uint64_t count);

  std::uint64_t size() const { return size_; }
  // Rises with `place`, which is below size().
  std::uint64_t at(std::uint64_t place) const;
  bool has(std::uint64_t number) const;

private:
  std::uint64_t begin(std::uint64_t place) const; // of its stretch

  std::uint64_t size_, count_;
};

} // namespace course::emulator
