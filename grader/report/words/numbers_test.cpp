#include "report/words/numbers.hpp"

#include <doctest/doctest.h>

namespace course::report {

TEST_CASE("thousands are set apart by commas") {
  CHECK(thousands(0) == "0");
  CHECK(thousands(999) == "999");
  CHECK(thousands(1000) == "1,000");
  CHECK(thousands(1234567) == "1,234,567");
}

TEST_CASE("one is singular") {
  CHECK(counted(1, "{} request", "{} requests") == "1 request");
  CHECK(counted(0, "{} request", "{} requests") == "0 requests");
  CHECK(counted(2000, "{} pass", "{} passes") == "2,000 passes");
}

TEST_CASE("decimals round half up and carry") {
  CHECK(decimal(1, 3, 2) == "0.33");
  CHECK(decimal(1, 20, 1) == "0.1");
  CHECK(decimal(999, 1000, 1) == "1.0");
  CHECK(decimal(32, 8, 1) == "4.0");
  CHECK(decimal(5, 2, 0) == "3");
}

TEST_CASE("a ratio is whole where it can be, and never a false zero") {
  CHECK(ratio(62, 2) == "31");
  CHECK(ratio(63, 15) == "4.2");
  CHECK(ratio(0, 15) == "0");
  CHECK(ratio(1, 1000) == "under 0.1");
}

TEST_CASE("two different quotients never print alike") {
  CHECK(apart(32, 256, 8).first == "4.0");
  CHECK(apart(400, 403, 100).first == "4.00");
  CHECK(apart(400, 403, 100).second == "4.03");
  CHECK(apart(400, 400, 100).second == "4.0");
}

} // namespace course::report
