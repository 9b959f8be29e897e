#include "lab/plan_limits.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

constexpr device::Address kHere = 1ull << 36, kThere = kHere + (2 << 20);

TEST_CASE("an honest plan weighs next to nothing") {
  device::Plan plan;
  plan.steps = {device::Allocate{kHere, 4096}, device::Upload{kHere, device::Bytes(4096)},
                device::Launch{}, device::Free{kHere}};
  CHECK(weight(plan) == 1 + (1 + 32) + kLaunchWeight + 1);
  CHECK(bytes_copied(plan) == 0);
  CHECK_FALSE(check_copies(plan, "64 x 96"));
}

TEST_CASE("gigabytes of fills weigh as much as kernels without end") {
  device::Plan plan;
  plan.steps.assign(1000, device::Fill{kHere, std::byte{1}, 1ull << 30});
  CHECK(weight(plan) > 1'000'000'000);
}

TEST_CASE("launches are not free, though their kernels do nothing") {
  device::Plan plan;
  plan.steps.assign(100'000, device::Launch{});
  CHECK(weight(plan) == 100'000 * kLaunchWeight);
}

TEST_CASE("a fill of nothing has a weight, so that a million of them have") {
  device::Plan plan;
  plan.steps.assign(1'000'000, device::Fill{kHere, std::byte{1}, 0});
  CHECK(weight(plan) == 1'000'000);
}

TEST_CASE("copies between device buffers are refused, with their bytes and what to do") {
  device::Plan plan;
  plan.steps = {device::Launch{}, device::Copy{kHere, kThere, 4}, device::Copy{kHere, kThere, 8}};
  CHECK(bytes_copied(plan) == 12);
  const auto check = check_copies(plan, "64 x 96");
  REQUIRE(check);
  CHECK(check->name == "launch");
  CHECK(check->status == judge::Status::failed);
  CHECK(report::words(*check).observed() == "12 bytes copied without a kernel");
  CHECK(report::words(*check).message ==
        "for a 64 x 96 matrix, host code copies 12 bytes from one place in device "
        "memory to another, which is not counted; let a kernel move them");
}

} // namespace
} // namespace course::lab
