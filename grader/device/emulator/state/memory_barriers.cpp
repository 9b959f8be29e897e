#include "device/emulator/state/memory_barriers.hpp"

#include "device/emulator/state/block.hpp"

namespace course::emulator {

void MemoryBarriers::clear() {
  all.clear();
  ended.clear();
  under_way.clear();
  turns.clear();
  parked = 0;
}

Mbarrier* MemoryBarriers::find(std::uint32_t offset) {
  const auto found = all.find(offset);
  return found == all.end() ? nullptr : &found->second;
}

device::Message name_of(const BarrierPlace& place) {
  return place.block->shared.layout().describe(place.offset, 8);
}

} // namespace course::emulator
