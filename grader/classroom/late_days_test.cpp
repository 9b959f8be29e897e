#include "classroom/late_days.hpp"

#include <doctest/doctest.h>

namespace course::classroom {
namespace {

constexpr std::int64_t kDay = 24 * 3600;

Settings with_free_days(int days) {
  Settings settings;
  settings.late.percent_a_day = 10;
  settings.free_days = days;
  return settings;
}

} // namespace

TEST_CASE("free days go to the labs that are due first") {
  const std::vector<HandedInLab> all{{"08_tiled_product", 20 * kDay, 22 * kDay},
                                     {"05_transpose", 10 * kDay, 12 * kDay}};
  const auto late = late_labs(with_free_days(3), all);
  CHECK(late.at("05_transpose").free == 2);
  CHECK(late.at("05_transpose").lateness.keeps == 1);
  CHECK(late.at("08_tiled_product").free == 1);
  CHECK(late.at("08_tiled_product").lateness.days == 2);
  CHECK(late.at("08_tiled_product").lateness.keeps == doctest::Approx(0.9));
}

TEST_CASE("what is in time, or loses nothing by being late, takes no free day") {
  auto settings = with_free_days(3);
  settings.labs["05_transpose"].late = LatePolicy{}; // it costs nothing there
  const auto late = late_labs(settings, {{"05_transpose", 10 * kDay, 12 * kDay},
                                         {"08_tiled_product", 20 * kDay, 20 * kDay}});
  CHECK(late.at("05_transpose").free == 0);
  CHECK(late.at("05_transpose").lateness.days == 2);
  CHECK(late.at("08_tiled_product").free == 0);
}

TEST_CASE("a lab that is too late for free days to help leaves them to the next") {
  auto settings = with_free_days(3);
  settings.late.days = 2; // after these, nothing
  const auto late = late_labs(settings, {{"05_transpose", 10 * kDay, 16 * kDay},
                                         {"08_tiled_product", 20 * kDay, 23 * kDay}});
  CHECK(late.at("05_transpose").free == 0);
  CHECK(late.at("05_transpose").lateness.keeps == 0);
  CHECK(late.at("08_tiled_product").free == 3);
  CHECK(late.at("08_tiled_product").lateness.keeps == 1);
}

} // namespace course::classroom
