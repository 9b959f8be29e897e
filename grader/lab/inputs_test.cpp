#include "lab/inputs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace course::lab {

TEST_CASE("the same seed gives the same inputs, another seed others") {
  for (const auto flavour : kFlavours) {
    CHECK(floats(1000, flavour, 1) == floats(1000, flavour, 1));
    CHECK(floats(1000, flavour, 1) != floats(1000, flavour, 2));
  }
}

TEST_CASE("inputs are the same on every machine") {
  CHECK(Random(0).next() == 0xe220a8397b1dcdaf); // the published first value of splitmix64
  CHECK(floats(5, Flavour::exact, 1) == Floats{3, 2, 5, 4, 1});
  CHECK(floats(1, Flavour::random, 1) == Floats{-0x1.22925p-8f});
}

TEST_CASE("no two inputs are equal, none is 0 or out of range") {
  for (const auto flavour : kFlavours) {
    auto values = floats(512 * 512, flavour, 42);
    std::sort(values.begin(), values.end());
    CHECK(std::adjacent_find(values.begin(), values.end()) == values.end());
    CHECK(std::all_of(values.begin(), values.end(), [](float v) { return std::isnormal(v); }));
  }
}

TEST_CASE("exact inputs are the whole numbers from 1") {
  auto values = floats(100, Flavour::exact, 5);
  CHECK_FALSE(std::is_sorted(values.begin(), values.end()));
  std::sort(values.begin(), values.end());
  for (int i = 0; i < 100; ++i) CHECK(values[i] == i + 1);
}

TEST_CASE("random inputs are of both signs and of many sizes") {
  const auto values = floats(10'000, Flavour::random, 5);
  const auto negative = std::count_if(values.begin(), values.end(), [](float v) { return v < 0; });
  CHECK(negative > 4'500);
  CHECK(negative < 5'500);
  const auto [least, most] = std::minmax_element(
      values.begin(), values.end(), [](float a, float b) { return std::abs(a) < std::abs(b); });
  CHECK(std::abs(*most) > 10'000 * std::abs(*least));
}

TEST_CASE("spikes are few and stand out") {
  const auto values = floats(61'000, Flavour::spikes, 5);
  const auto spikes =
      std::count_if(values.begin(), values.end(), [](float v) { return std::abs(v) > 4096; });
  CHECK(spikes > 700);
  CHECK(spikes < 1'300);
}

TEST_CASE("no addend is so small that a sum without it is as good") {
  for (const auto flavour : kFlavours) {
    const auto values = addends(61'000, flavour, 5);
    CHECK(std::all_of(values.begin(), values.end(), [](float v) { return std::abs(v) >= 1; }));
    const auto large =
        std::count_if(values.begin(), values.end(), [](float v) { return v > 1024; });
    CHECK((large > 700) == (flavour == Flavour::spikes));
  }
}

TEST_CASE("addends have one sign, so that none cancels another, and not always the same") {
  const auto negative = [](const Floats& values) {
    return std::count_if(values.begin(), values.end(), [](float v) { return v < 0; });
  };
  CHECK(negative(addends(1000, Flavour::random, 5)) == 0);
  CHECK(negative(addends(1000, Flavour::exact, 5)) == 1000);
  CHECK(negative(addends(1000, Flavour::spikes, 5)) == 0);
}

TEST_CASE("factors are of both signs and of like size, but for the spikes") {
  for (const auto flavour : kFlavours) {
    const float spike = 64;
    const auto values = factors(61'000, flavour, 5, spike);
    const float largest = flavour == Flavour::exact    ? 8
                          : flavour == Flavour::random ? 2
                                                       : 2 * spike;
    CHECK(std::all_of(values.begin(), values.end(),
                      [&](float v) { return std::abs(v) >= 1 && std::abs(v) <= largest; }));
    const auto negative =
        std::count_if(values.begin(), values.end(), [](float v) { return v < 0; });
    CHECK(negative > 29'000);
    CHECK(negative < 32'000);
  }
}

TEST_CASE("no number below the bound is left out or past it") {
  Random random(3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(7));
  CHECK(seen.size() == 7);
  CHECK(*seen.rbegin() == 6);
}

TEST_CASE("empty inputs are empty") {
  for (const auto flavour : kFlavours) CHECK(floats(0, flavour, 1).empty());
}

TEST_CASE("infinities and a NaN are among the numbers to move, unless they are counted") {
  const auto nans = [](const Floats& values) {
    return std::count_if(values.begin(), values.end(), [](float x) { return std::isnan(x); });
  };
  CHECK(nans(numbers_to_move(1000, Flavour::random, 1)) == 1);
  CHECK(nans(numbers_to_move(1000, Flavour::exact, 1)) == 0);
  CHECK(nans(numbers_to_move(10, Flavour::spikes, 1)) == 0);
}

TEST_CASE("a float is rounded to the nearest number of bf16, and halfway to the even one") {
  CHECK(rounded_to_bf16(1) == 1);
  CHECK(rounded_to_bf16(-2.5) == -2.5);
  CHECK(rounded_to_bf16(0x1.01p0f) == 1);         // halfway to 0x1.02
  CHECK(rounded_to_bf16(0x1.03p0f) == 0x1.04p0f); // halfway, and 0x1.02 is odd
  CHECK(rounded_to_bf16(0x1.0101p0f) == 0x1.02p0f);
  CHECK(rounded_to_bf16(-0x1.ffp3f) == -16); // the next power
  CHECK(std::isinf(rounded_to_bf16(HUGE_VALF)));
  CHECK(std::isnan(rounded_to_bf16(NAN)));
}

} // namespace course::lab
