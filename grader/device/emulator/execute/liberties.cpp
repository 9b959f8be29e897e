#include "device/emulator/execute/liberties.hpp"

#include <numeric>
#include <utility>

namespace course::emulator {

bool Liberties::preempts() {
  return manner_ != Manner::some || one_in(2);
}

std::uint32_t Liberties::rounds() {
  switch (manner_) {
  case Manner::in_step:
    return one_in(4) ? 1 + below(2) : 0;
  case Manner::some:
    return one_in(4) ? 64 : below(8);
  case Manner::once:
    return one_in(16) ? 4096 : 0;
  }
  return 0;
}

// The first turn leads to the first step, which is not made yet, the second makes it. Most kernels
// have few steps, and what goes wrong does so between the first ones.
std::uint32_t Liberties::stops_after() {
  const std::uint32_t goes_on = one_in(3) ? 8 : 2;
  std::uint32_t turns = one_in(4) ? 1 : 3;
  while (turns < 64 && !one_in(goes_on)) ++turns;
  return turns;
}

std::uint32_t Liberties::patience() {
  return one_in(4) ? 64 : 2048;
}

bool BlockTurns::sits_out(Block& block) {
  if (liberties_.stops_once()) {
    if (block.stops_after && --block.stops_after == 0) block.stopped = true;
    return block.stopped;
  }
  if (block.rounds) return --block.rounds > 0;
  if (liberties_.preempts()) block.rounds = liberties_.rounds();
  return block.rounds > 0;
}

bool BlockTurns::one_goes_on(bool still, bool all) {
  still_ = still ? still_ + 1 : 0;
  if (!all && still_ <= patience_) return false;
  still_ = 0;
  return true;
}

std::uint32_t Liberties::parting(std::uint32_t lanes) {
  if (!one_in(2)) return 0;
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
