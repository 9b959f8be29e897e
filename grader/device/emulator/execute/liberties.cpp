#include "device/emulator/execute/liberties.hpp"

#include <numeric>
#include <utility>

namespace course::emulator {

bool Liberties::preempts() {
  return in_step_ || one_in(4);
}

std::uint32_t Liberties::rounds() {
  if (in_step_) return one_in(4) ? 1 + below(2) : 0;
  return one_in(4) ? 64 : below(8);
}

std::uint32_t Liberties::parting(std::uint32_t lanes) {
  if (!one_in(in_step_ ? 2 : 4)) return 0;
  switch (below(3)) {
  case 0: // the upper half or the lower one
    return lanes & (below(2) ? 0xffff0000u : 0x0000ffffu);
  case 1: // one lane
    return lanes & 1u << below(32);
  default:
    return lanes & static_cast<std::uint32_t>(next());
  }
}

std::array<std::uint8_t, 32> Liberties::lanes() {
  std::array<std::uint8_t, 32> order;
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  for (std::uint32_t i = 31; i > 0; --i) std::swap(order[i], order[below(i + 1)]);
  return order;
}

} // namespace course::emulator
