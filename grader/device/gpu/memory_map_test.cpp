#include "device/gpu/memory_map.hpp"

#include <doctest/doctest.h>

namespace course::gpu {
namespace {

constexpr std::uint64_t kPage = 2u << 20;
constexpr device::Address kBase = 0x10'0000'0000;

} // namespace

TEST_CASE("a region takes whole pages, an empty one a page too") {
  CHECK(pages_of({kBase, 1}, kPage) == Region{kBase, kPage});
  CHECK(pages_of({kBase, kPage}, kPage) == Region{kBase, kPage});
  CHECK(pages_of({kBase, kPage + 1}, kPage) == Region{kBase, 2 * kPage});
  CHECK(pages_of({kBase + kPage - 1, 2}, kPage) == Region{kBase, 2 * kPage});
  CHECK(pages_of({kBase, 0}, kPage) == Region{kBase, kPage});
}

TEST_CASE("the slack is what is left of its pages, before and behind") {
  CHECK(slack_of({kBase, kPage}, kPage).empty());
  CHECK(slack_of({kBase, 100}, kPage) == std::vector<Region>{{kBase + 100, kPage - 100}});
  CHECK(slack_of({kBase + 256, 100}, kPage) ==
        std::vector<Region>{{kBase, 256}, {kBase + 356, kPage - 356}});
}

TEST_CASE("the span holds buffers and allocations, with room around") {
  device::Job job;
  job.buffers.push_back({"a", kBase, device::Bytes(100), true});
  job.plan.steps.emplace_back(device::Allocate{kBase + (1u << 30), 5});
  const Span span = address_span(job, kPage);
  CHECK(span.error == "");
  CHECK(span.region.begin < kBase);
  CHECK(span.region.end() > kBase + (1u << 30) + kPage);
  CHECK(span.region.begin % (32u << 20) == 0);
  CHECK(span.region.size % (32u << 20) == 0);
}

TEST_CASE("a job without memory has an empty span") {
  const Span span = address_span(device::Job(), kPage);
  CHECK(span.error == "");
  CHECK(span.region.size == 0);
}

TEST_CASE("addresses that no GPU has are refused") {
  for (const auto& [address, size] :
       {std::pair<device::Address, std::uint64_t>{0, 4}, {~0ull - 10, 100}, {kBase, 1ull << 50}}) {
    device::Job job;
    job.plan.steps.emplace_back(device::Allocate{address, size});
    CHECK(address_span(job, kPage).error != "");
  }
  device::Job apart;
  apart.plan.steps.emplace_back(device::Allocate{kBase, 4});
  apart.plan.steps.emplace_back(device::Allocate{1ull << 45, 4});
  CHECK(address_span(apart, kPage).error != "");
}

} // namespace course::gpu
