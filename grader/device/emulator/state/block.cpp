#include "device/emulator/state/block.hpp"

#include "device/emulator/state/launch.hpp"

namespace course::emulator {

device::Dim3 Block::thread(const Warp& warp, std::uint32_t lane) const {
  const device::Dim3& size = launch->block;
  const std::uint32_t number = warp.index * kLanes + lane;
  return {number % size.x, number / size.x % size.y, number / size.x / size.y};
}

} // namespace course::emulator
