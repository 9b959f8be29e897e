// Where the bytes of a region lie in whole pages, and what surrounds them there.
//
// Device memory is mapped in pages (2 MiB on today's GPUs). A kernel that runs past its buffer
// first meets the rest of the last page, which is poisoned and checked afterwards, then unmapped
// addresses, which stop it.
#pragma once

#include "device/device.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course::gpu {

struct Region {
  device::Address begin = 0;
  std::uint64_t size = 0; // bytes

  device::Address end() const { return begin + size; }
  bool operator==(const Region&) const = default;
};

// The pages that hold `region`; at least one, so that an empty buffer has an address too.
Region pages_of(Region, std::uint64_t page);

// The parts of pages_of(region) that are not the region's.
std::vector<Region> slack_of(Region, std::uint64_t page);

// The whole span of addresses that a job uses: its buffers, what its plan allocates, and `more`.
// Its error is one sentence: the job has no memory at a usable address, or wraps around.
struct Span {
  Region region;
  std::string error;
};
Span address_span(const device::Job&, std::uint64_t page, const std::vector<Region>& more = {});

} // namespace course::gpu
