// Device memory at the addresses that a plan recorded, with guards around each region.
#pragma once

#include "device/gpu/driver.hpp"
#include "device/gpu/memory_map.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace course::gpu {

inline constexpr std::byte kSlackPoison{0xa5}; // around a region
inline constexpr std::byte kFreshPoison{0xff}; // in memory that the plan allocates: NaN, as floats

class DeviceMemory {
public:
  // `driver` must outlive this.
  explicit DeviceMemory(const Driver& driver) : driver_(driver) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete; // it owns mappings
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // All return one sentence when they fail.

  // Sets the addresses aside, so that nothing else is ever placed there: all of `span` that is not
  // mapped below stops a kernel that touches it.
  std::optional<std::string> reserve(Region span);
  std::optional<std::string> map(Region region); // its slack is poisoned; its own bytes are not
  std::optional<std::string> unmap(device::Address begin);
  // The first byte of the slack around the mapped region that lost its poison, counted from the
  // region's start (negative: before it). Nothing when all is well or it cannot be read.
  std::optional<std::int64_t> first_overrun(device::Address begin) const;

  bool is_mapped(device::Address begin) const { return mapped_.count(begin) != 0; }
  std::uint64_t page();

private:
  struct Mapping {
    Region region, pages;
    CUmemGenericAllocationHandle handle;
  };
  const Driver& driver_;
  std::map<device::Address, Mapping> mapped_;
  Region reserved_;
  std::uint64_t page_ = 0;
};

} // namespace course::gpu
