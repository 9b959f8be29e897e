#include "device/gpu/memory_map.hpp"

#include <algorithm>

namespace course::gpu {
namespace {

// GPUs have 47 bits of addresses or more; a plan has a few gigabytes.
constexpr std::uint64_t kHighestAddress = 1ull << 46;
constexpr std::uint64_t kLargestSpan = 1ull << 40;

// A fixed address is granted only as a multiple of 32 MiB (driver 580 on an H200); twice that.
constexpr std::uint64_t kReservation = 64ull << 20;

} // namespace

Region pages_of(Region region, std::uint64_t page) {
  const device::Address begin = region.begin / page * page;
  const device::Address last = region.size == 0 ? region.begin : region.end() - 1;
  return {begin, last / page * page + page - begin};
}

std::vector<Region> slack_of(Region region, std::uint64_t page) {
  const Region pages = pages_of(region, page);
  std::vector<Region> slack;
  if (region.begin > pages.begin) slack.push_back({pages.begin, region.begin - pages.begin});
  if (pages.end() > region.end()) slack.push_back({region.end(), pages.end() - region.end()});
  return slack;
}

Span address_span(const device::Job& job, std::uint64_t page, const std::vector<Region>& more) {
  device::Address low = ~device::Address{0}, high = 0;
  bool sane = true;
  const auto include = [&](device::Address address, std::uint64_t size) {
    if (address < 2 * kReservation || address > kHighestAddress || size > kLargestSpan) {
      sane = false;
      return;
    }
    const Region pages = pages_of({address, size}, page);
    low = std::min(low, pages.begin);
    high = std::max(high, pages.end());
  };
  for (const auto& buffer : job.buffers) include(buffer.address, buffer.bytes.size());
  for (const auto& region : more) include(region.begin, region.size);
  for (const auto& step : job.plan.steps) {
    if (const auto* allocate = std::get_if<device::Allocate>(&step))
      include(allocate->address, allocate->size);
  }
  if (!sane) return {{}, "the plan has memory at addresses that no GPU has"};
  if (high == 0) return {};
  // What is added on either side is never mapped.
  const device::Address begin = (low - page) / kReservation * kReservation;
  const device::Address end = (high + page + kReservation - 1) / kReservation * kReservation;
  const Region region{begin, end - begin};
  if (region.size > kLargestSpan)
    return {{}, "the plan's memory is spread over more addresses than can be set aside"};
  return {region, ""};
}

} // namespace course::gpu
