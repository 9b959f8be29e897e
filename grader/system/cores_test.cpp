#include "system/cores.hpp"

#include <doctest/doctest.h>

#include <sched.h>

namespace course::system {

TEST_CASE("a process that is kept to one core has one") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof(before), &before) == 0);
  CHECK(cores() == static_cast<unsigned>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_SET(first, &one);
  REQUIRE(sched_setaffinity(0, sizeof(one), &one) == 0);
  CHECK(cores() == 1);
  REQUIRE(sched_setaffinity(0, sizeof(before), &before) == 0);
}

} // namespace course::system
