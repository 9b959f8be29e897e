// The order in which a plan's steps are done, where the standard leaves it open.
#pragma once

#include "device/device.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace course::emulator {

// At liberty (device::Order) two launches in a row of different streams, of which nothing says that
// one is first, come in either order, by the seed (CUDA C++ Programming Guide, Streams). All others
// are where they are.
class LaunchOrder {
public:
  LaunchOrder(const device::Plan&, const device::Order&);

  const std::vector<const device::Step*>& steps() const { return steps_; }

private:
  void swap_last_two(std::uint32_t first, std::uint32_t second);

  std::vector<const device::Step*> steps_;
  std::vector<std::unique_ptr<device::Step>> uses_; // of streams, that the plan has not
};

} // namespace course::emulator
