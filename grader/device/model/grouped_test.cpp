#include "device/model/grouped.hpp"

#include <doctest/doctest.h>

using course::model::grouped;

TEST_CASE("digits are grouped by three from the right") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1'000) == "1,000");
  CHECK(grouped(232'448) == "232,448");
  CHECK(grouped(UINT64_MAX) == "18,446,744,073,709,551,615");
}
