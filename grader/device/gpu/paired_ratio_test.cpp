#include "device/gpu/paired_ratio.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace course::gpu {
namespace {

struct Times {
  std::vector<double> first, second;
};

// Times of two things of which one takes `ratio` as long, with noise, drift and outliers.
Times times(std::mt19937& random, double ratio, std::size_t pairs, double noise) {
  std::normal_distribution<double> normal(0, noise);
  Times result;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double drift = 1 + 0.5 * static_cast<double>(i) / static_cast<double>(pairs);
    const double outlier = random() % 20 == 0 ? 3 : 1;
    result.first.push_back(40e-6 * ratio * drift * std::exp(normal(random)));
    result.second.push_back(40e-6 * drift * outlier * std::exp(normal(random)));
  }
  return result;
}

} // namespace

TEST_CASE("the ratio of equal things is 1, whatever the clocks do meanwhile") {
  std::mt19937 random(1);
  const auto [first, second] = times(random, 1, 100, 0.02);
  const auto found = paired_ratio(first, second);
  REQUIRE(found);
  CHECK(found->low < 1);
  CHECK(found->high > 1);
  CHECK(found->ratio == doctest::Approx(1).epsilon(0.02));
  CHECK(found->pairs == 100);
}

TEST_CASE("the interval holds the true ratio about as often as it says") {
  std::mt19937 random(2);
  int held = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::normal_distribution<double> normal(0, 0.05);
    std::vector<double> first, second;
    for (int i = 0; i < 30; ++i) {
      first.push_back(1.2 * std::exp(normal(random)));
      second.push_back(std::exp(normal(random)));
    }
    const auto found = paired_ratio(first, second, 0.95);
    REQUIRE(found);
    held += found->low <= 1.2 && 1.2 <= found->high;
  }
  CHECK(held >= 365); // 380 expected, with a standard deviation of 4.4
  CHECK(held <= 396);
}

TEST_CASE("outliers on one side move the estimate little") {
  std::mt19937 random(3);
  const auto [first, second] = times(random, 1.5, 60, 0.01);
  const auto found = paired_ratio(first, second);
  REQUIRE(found);
  CHECK(found->ratio == doctest::Approx(1.5).epsilon(0.02));
}

TEST_CASE("more pairs make the interval narrower, more confidence wider") {
  std::mt19937 random(4);
  const auto few = times(random, 1, 30, 0.05), many = times(random, 1, 1000, 0.05);
  const auto width = [](const Times& t, double confidence) {
    const auto found = paired_ratio(t.first, t.second, confidence);
    REQUIRE(found);
    return found->high - found->low;
  };
  CHECK(width(many, 0.99) < width(few, 0.99) / 3);
  CHECK(width(few, 0.9) < width(few, 0.99));
}

TEST_CASE("the interval is the same from the other side") {
  std::mt19937 random(5);
  const auto [first, second] = times(random, 1.3, 40, 0.03);
  const auto one = paired_ratio(first, second), other = paired_ratio(second, first);
  REQUIRE(one);
  REQUIRE(other);
  CHECK(one->low == doctest::Approx(1 / other->high));
  CHECK(one->ratio == doctest::Approx(1 / other->ratio));
}

TEST_CASE("identical times have an interval of no width") {
  const std::vector<double> same(20, 3e-5);
  const auto found = paired_ratio(same, same);
  REQUIRE(found);
  CHECK(found->low == 1);
  CHECK(found->high == 1);
}

TEST_CASE("times that cannot be, too few of them, or unpaired ones have no ratio") {
  std::vector<double> good(20, 1.0);
  CHECK_FALSE(paired_ratio(std::vector<double>(9, 1.0), std::vector<double>(9, 1.0)));
  CHECK_FALSE(paired_ratio(good, std::vector<double>(19, 1.0)));
  CHECK_FALSE(paired_ratio(good, good, 1.0));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    auto other = good;
    other[7] = bad;
    CHECK_FALSE(paired_ratio(good, other));
    CHECK_FALSE(paired_ratio(other, good));
  }
}

TEST_CASE("the median is the middle value, or between the middle two") {
  CHECK(median(std::vector<double>{3, 1, 2}) == 2);
  CHECK(median(std::vector<double>{4, 1, 3, 2}) == 2.5);
  CHECK(median({}) == 0);
}

} // namespace course::gpu
