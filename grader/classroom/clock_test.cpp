#include "classroom/clock.hpp"

#include <doctest/doctest.h>

namespace course::classroom {

TEST_CASE("a time has to have its zone, and to exist") {
  CHECK(time_of("1970-01-01T00:00:00Z") == 0);
  CHECK(time_of("1970-01-01T01:00:00+01:00") == 0);
  CHECK(time_of("1969-12-31T19:00:00-05:00") == 0);
  CHECK(time_of("1969-12-31T19:00:00-0500") == 0);
  CHECK(time_of("1970-01-01T00:00:01.365935Z") == 1);
  CHECK(time_of("1970-01-01 00:00:01.683414000 Z") == 1);
  CHECK_FALSE(time_of("1970-01-01T00:00:01.365935"));
  for (const char* text :
       {"2026-11-20", "2026-11-20T10:00:00", "2026-02-31T10:00:00Z", "2026-11-20T25:00:00Z",
        "2026-11-20T10:00:00+1", "x", "2026-11-20T10:00:00Zzz", "2026-11-20T10:00:00+01:99"}) {
    INFO(text);
    CHECK_FALSE(time_of(text));
  }
}

TEST_CASE("a moment without a zone is in that of the class, summer and winter") {
  REQUIRE(is_zone("Europe/Berlin"));
  CHECK(seconds_of({2026, 7, 1, 23, 59, 0, {}}, "Europe/Berlin") ==
        time_of("2026-07-01T23:59:00+02:00"));
  CHECK(seconds_of({2026, 12, 1, 23, 59, 0, {}}, "Europe/Berlin") ==
        time_of("2026-12-01T23:59:00+01:00"));
  CHECK(seconds_of({2026, 12, 1, 23, 59, 0, 0}, "Europe/Berlin") ==
        time_of("2026-12-01T23:59:00Z"));
  CHECK_FALSE(seconds_of({2026, 12, 1, 23, 59, 0, {}}, ""));
  CHECK_FALSE(seconds_of({2026, 3, 29, 2, 30, 0, {}}, "Europe/Berlin")); // the clocks skip it
  CHECK_FALSE(is_zone("Europe/Berlyn"));
  CHECK_FALSE(is_zone("../../etc/passwd"));
  CHECK(time_in(0, "") == "1970-01-01 00:00 UTC");
  CHECK(time_in(*time_of("2026-12-01T22:59:00Z"), "Europe/Berlin") == "2026-12-01 23:59 CET");
}

TEST_CASE("each day begun costs its part, after the grace and until the last day") {
  const LatePolicy policy{10, 3, 15};
  constexpr std::int64_t kDue = 1'000'000, kDay = 86'400;
  CHECK(lateness(policy, kDue, kDue).keeps == 1);
  CHECK(lateness(policy, kDue, kDue + 15 * 60).keeps == 1);
  CHECK(lateness(policy, kDue, kDue + 15 * 60 + 1).keeps == doctest::Approx(0.9));
  CHECK(lateness(policy, kDue, kDue + kDay).days == 1);
  CHECK(lateness(policy, kDue, kDue + kDay + 1).keeps == doctest::Approx(0.8));
  CHECK(lateness(policy, kDue, kDue + 3 * kDay).keeps == doctest::Approx(0.7));
  CHECK(lateness(policy, kDue, kDue + 3 * kDay + 1).keeps == 0);
  CHECK(lateness(policy, std::nullopt, kDue + 9 * kDay).keeps == 1);
  CHECK(lateness({200, 0, 0}, kDue, kDue + 1).keeps == 0);
}

} // namespace course::classroom
