#include "device/emulator/state/cluster.hpp"

#include "device/emulator/state/block.hpp"

#include <utility>

namespace course::emulator {

void Cluster::begin() {
  arrived = complete = 0;
  gathered = completed = {};
}

std::uint32_t Cluster::live() const {
  std::uint32_t threads = 0;
  for (const Block* block : blocks) threads += block->live;
  return threads;
}

void Cluster::settle() {
  if (arrived == 0 || arrived < live()) return;
  arrived = 0;
  ++complete;
  completed = std::exchange(gathered, {});
}

} // namespace course::emulator
