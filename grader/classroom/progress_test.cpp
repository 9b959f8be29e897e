#include "classroom/progress.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("CTest's lines of finished tests are known, and no others") {
  const auto passed = finished_test(" 3/30 Test #17: anna .............   Passed    0.52 sec");
  REQUIRE(passed);
  CHECK(passed->done == 3);
  CHECK(passed->total == 30);
  CHECK(passed->passed);
  const auto failed = finished_test("  4/30 Test  #2: bert .............***Failed    0.52 sec");
  REQUIRE(failed);
  CHECK_FALSE(failed->passed);
  for (const char* line :
       {"", "Test project /tmp", "      Start 17: anna", "100% tests passed, 0 tests failed", "3/",
        "3/x Test #1", "3/30 Text #1", "99999999999999999999999/3 Test #1"})
    CHECK_FALSE(finished_test(line));
}

TEST_CASE("what is left is estimated from what was done lately") {
  Progress progress;
  CHECK(progress.line({1, 1000, true}, 0.5) == "1 of 1,000");
  CHECK(progress.line({20, 1000, true}, 10) == "20 of 1,000, 2.0 per second, 8 min 10 s left");
  for (int i = 11; i < 100; ++i) progress.line({static_cast<std::size_t>(10 + i), 1000, true}, i);
  CHECK(progress.line({110, 1000, true}, 100) == "110 of 1,000, 1.0 per second, 14 min 50 s left");
}

TEST_CASE("what takes longer than a second is told by the minute") {
  Progress progress;
  CHECK(progress.line({4, 40, true}, 20) == "4 of 40, 12.0 per minute, 3 min 0 s left");
  CHECK(Progress().line({5, 5, true}, 300) == "5 of 5, 1.0 per minute");
}

TEST_CASE("at the end nothing is left") {
  Progress progress;
  CHECK(progress.line({40, 40, true}, 20) == "40 of 40, 2.0 per second");
  CHECK(Progress().line({0, 40, true}, 20) == "0 of 40");
}

TEST_CASE("durations are read at a glance") {
  CHECK(duration(0) == "0 s");
  CHECK(duration(59) == "59 s");
  CHECK(duration(255) == "4 min 15 s");
  CHECK(duration(7500) == "2 h 5 min");
  CHECK(duration(-1) == "0 s");
}

} // namespace course::classroom
