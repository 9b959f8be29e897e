#include "device/gpu/nvml.hpp"

#include <doctest/doctest.h>

namespace course::gpu {

TEST_CASE("a GPU that does not exist has no conditions, and the reason is said") {
  const Conditions found = conditions("0000:ff:1f.7", {});
  CHECK(found.unavailable != "");
  CHECK(found.sm_clock == 0);
}

} // namespace course::gpu
