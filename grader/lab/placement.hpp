// Where an exercise's operands lie in device memory, and what lies around them.
//
// The emulated device checks every access itself. On a device that does not, each operand lies
// between two guard zones; a kernel that writes past an operand changes them.
#pragma once

#include "device/device.hpp"
#include "judge/execution.hpp"
#include "lab/exercise.hpp"
#include "runtime/device_window.hpp"

#include <span>
#include <vector>

namespace course::lab {

// The float that comes back where this one, a whole number, was an operand's int.
float held_by_int(float);

class Placement {
public:
  // `guard`: bytes on either side of each operand, a multiple of 256; 0 for none. From `first` on,
  // which is where other operands end.
  Placement(const std::vector<Operand>&, std::uint64_t guard,
            device::Address first = runtime::kFirstAddress);

  struct Region {
    device::Address address = 0;
    std::uint64_t size = 0; // at least 4, so that an empty operand has an address too
  };
  const Region& operand(std::size_t i) const { return regions_[i]; }
  const std::vector<Region>& operands() const { return regions_; }
  device::Address end() const { return end_; }

  // Device memory before the first step: inputs as given, outputs poisoned and not initialised.
  std::vector<device::Buffer> buffers(const std::vector<Floats>& inputs) const;

  // An operand's values in what a device returned; shorter when the device returned too little.
  Floats values(const std::vector<device::Bytes>& after, std::size_t i) const;

  // An operand's part of what a device followed, byte by byte.
  std::span<const device::Way> ways(const std::vector<std::vector<device::Way>>& after,
                                    std::size_t i) const;

  // Guard zones and inputs that are not what they were.
  std::vector<judge::Damage> damage(const std::vector<device::Buffer>& before,
                                    const std::vector<device::Bytes>& after) const;

private:
  std::vector<Operand> operands_;
  std::vector<Region> regions_;
  std::uint64_t guard_;
  device::Address end_;
};

} // namespace course::lab
