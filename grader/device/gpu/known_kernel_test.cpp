#include "device/gpu/known_kernel.hpp"

#include <doctest/doctest.h>

namespace course::gpu {
namespace {

device::LineCounts line(std::uint32_t number, const char* access, std::uint64_t wavefronts,
                        std::uint64_t ideal, std::uint64_t sectors) {
  device::LineCounts counts;
  counts.line = number;
  counts.kind = model::kind_of(access).value();
  counts.requests = 1;
  counts.wavefronts = wavefronts;
  counts.ideal = ideal;
  counts.sectors = sectors;
  return counts;
}

device::Observation right() {
  device::Observation observation;
  observation.lines = {line(7, "shared_store_4", 32, 1, 0), line(8, "shared_load_4", 1, 1, 0),
                       line(9, "global_store_4", 0, 0, 4)};
  return observation;
}

} // namespace

TEST_CASE("the right counts pass") {
  CHECK(known_kernel_failure(right()) == "");
}

TEST_CASE("a count that is wrong is said with what it should be") {
  auto observation = right();
  observation.lines[0].wavefronts = 31;
  CHECK(known_kernel_failure(observation).find("31 wavefronts") != std::string::npos);
  observation = right();
  observation.lines[2].sectors = 5;
  CHECK(known_kernel_failure(observation) != "");
  observation = right();
  observation.lines.pop_back();
  CHECK(known_kernel_failure(observation).find("global_store_4") != std::string::npos);
}

TEST_CASE("a kernel that did not run, or was not counted, says why") {
  auto observation = right();
  observation.status = device::Observation::Status::failed;
  observation.reason = "it broke";
  CHECK(known_kernel_failure(observation) == "a built-in kernel did not run: it broke");
  device::Observation uncounted;
  uncounted.counted_by = "not counted: forbidden";
  CHECK(known_kernel_failure(uncounted) == "not counted: forbidden");
}

} // namespace course::gpu
