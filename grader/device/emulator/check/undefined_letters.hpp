// What the letters of a Form's operands say of a register's bits.
#pragma once

#include "device/emulator/state/lanes.hpp"

#include <cstdint>

namespace course::emulator {

inline std::uint32_t bytes_of(char letter) {
  return letter == 'b' ? 1 : letter == 'h' ? 2 : letter == 'w' ? 4 : 8;
}
inline std::uint64_t all_bits(char letter) {
  return letter == 'p' ? 1 : ~std::uint64_t{0} >> (64 - 8 * bytes_of(letter));
}

template <typename F>
void for_lanes(std::uint32_t lanes, F&& f) {
  for (; lanes; lanes &= lanes - 1) f(lowest(lanes));
}

} // namespace course::emulator
