#include "judge/time.hpp"

#include "report/words/check_words.hpp"

#include <doctest/doctest.h>

namespace course::judge {
namespace {

Timing timing(double low, double high, double limit = 1.15) {
  Timing timing;
  timing.shape = "4096 x 4096";
  timing.limit = limit;
  timing.of_peer = 40e-6;
  timing.ratio = (low + high) / 2;
  timing.seconds = timing.of_peer * timing.ratio;
  timing.low = low;
  timing.high = high;
  timing.pairs = 140;
  timing.floor = 16e-6;
  return timing;
}

} // namespace

TEST_CASE("an interval below the limit passes, and says how long it took") {
  const auto check = check_time(timing(0.99, 1.01));
  CHECK(check.status == Status::passed);
  CHECK(report::words(check).observed() == "40.0 us, 1.00 times the solution");
  CHECK(report::words(check).limit == "1.15");
  CHECK(check.measures[0].value == 1000);
  CHECK(check.measures[0].high == 1150);
  CHECK(check.measures[1].value == 40000);
  CHECK(report::words(check).message.find("0.990 to 1.010 by 140 pairs") != std::string::npos);
}

TEST_CASE("an interval that ends at the limit passes, one that begins above it fails") {
  CHECK(check_time(timing(1.13, 1.15)).status == Status::passed);
  CHECK(check_time(timing(1.1501, 1.17)).status == Status::failed);
  CHECK(check_time(timing(1.72, 1.73)).status == Status::failed);
}

TEST_CASE("a limit within the interval is neither, costs nothing, and is said") {
  const auto close = timing(1.14, 1.16);
  CHECK(call(close) == Call::too_close);
  const auto check = check_time(close);
  CHECK(check.status == Status::not_measured);
  CHECK_FALSE(check.possible);
  CHECK(report::words(check).observed() ==
        "too close to call, 1.140 to 1.160 times the solution with a limit of 1.15");
  CHECK(check.measures[0].value == 1150);
}

TEST_CASE("faster than memory can move the bytes fails, whatever the ratio") {
  auto one = timing(0.3, 0.31);
  one.floor = 16.8e-6;
  const auto check = check_time(one);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).observed() == "12.2 us, faster than memory");
}

TEST_CASE("a wrong output has no time") {
  auto one = timing(0.99, 1.01);
  one.wrong = {12, 1024};
  const auto check = check_time(one);
  CHECK(check.status == Status::failed);
  CHECK(report::words(check).message ==
        "12 of 1024 elements were wrong after a timed run for 4096 x 4096");
}

TEST_CASE("times that cannot be trusted are no pass and cost the points") {
  auto one = timing(0.99, 1.01);
  one.invalid = device::Message("the clocks do not fit");
  const auto check = check_time(one);
  CHECK(check.status == Status::not_measured);
  CHECK(check.possible);
  CHECK(report::words(check).observed() == "the clocks do not fit");
  one.invalid = Timing::TooFew{7};
  CHECK(report::words(check_time(one)).observed() == "too few runs in 7 pairs");
  one.invalid = Timing::NoLaunch{true, endings::Rejected{{}, "2_pad.cu"}};
  CHECK(report::words(check_time(one)).observed() == "the solution: 2_pad.cu does not compile.");
}

TEST_CASE("what else the GPU did stands behind the times") {
  auto one = timing(0.99, 1.01);
  one.conditions = {1980, 1965, 0, {"power cap"}, ""};
  CHECK(report::words(check_time(one))
            .message.ends_with("; SM clock 1980 to 1965 MHz, 0 other processes on the GPU, "
                               "throttled: power cap"));
  one.conditions->unavailable = "its library is missing";
  CHECK(report::words(check_time(one)).message.ends_with("; its library is missing"));
}

TEST_CASE("durations have three figures and a unit that fits") {
  auto one = timing(0.99, 1.01);
  one.seconds = 2.668e-3;
  CHECK(report::words(check_time(one)).observed().starts_with("2.67 ms"));
  one.seconds = 0.5051;
  CHECK(report::words(check_time(one)).observed().starts_with("505 ms"));
  one.seconds = 1.5;
  CHECK(report::words(check_time(one)).observed().starts_with("1.50 s"));
}

TEST_CASE("without a GPU it is said what an H200 took for others, and what this kernel needs") {
  Check check;
  check.name = "time";
  facts::Untimed found{"4096 x 4096", 71e-6, {{{"conflicts"}, 126e-6, 130e-6}}, {}, false, "H200"};
  check.facts = found;
  CHECK(report::words(check).observed() == "needs a GPU");
  found.other_gpu = true;
  check.facts = found;
  CHECK(report::words(check).observed() == "needs another GPU");
  CHECK(report::words(check).message ==
        "for 4096 x 4096, an H200 took 71.0 us with the course's solution, 126 us to 130 us with "
        "one that fails conflicts");
  found.others.clear();
  found.least = facts::LeastTime{30e-6, 20e-6, 66e-6, 1e-6};
  check.facts = found;
  CHECK(report::words(check).message ==
        "for 4096 x 4096, an H200 took 71.0 us with the course's solution. Yours was not timed; by "
        "its counts it needs 66.0 us there or more, for the passes of shared memory");
  found.least.reset();
  found.gpu = "B200";
  check.facts = found;
  CHECK(report::words(check).message ==
        "for 4096 x 4096, a B200 took 71.0 us with the course's solution");
}

} // namespace course::judge
