#include "lab/other_orders.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::lab {

TEST_CASE("drawn orders have numbers, and seeds of each manner that the grading's seed decides") {
  std::set<std::uint64_t> all;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::set<std::uint64_t> manners;
    for (std::uint32_t number = 1; number <= 3; ++number) {
      const auto other = drawn_order(seed, number);
      CHECK(other.order.kind == device::Order::Kind::at_liberty);
      CHECK(other.drawn == number);
      CHECK(other.order.seed == drawn_order(seed, number).order.seed);
      manners.insert(other.order.seed % 3);
      all.insert(other.order.seed);
    }
    CHECK(manners.size() == 3);
  }
  CHECK(all.size() == 30);
  CHECK(last_first().drawn == 0);
}

TEST_CASE("a few orders are drawn whatever they cost, and more where they cost little") {
  const auto drawn = [](std::uint64_t each, std::uint64_t graded) {
    std::uint32_t number = 0;
    while (draws_another(number, number * each, graded)) ++number;
    return number;
  };
  CHECK(drawn(1'000, 1'000) == 3);
  CHECK(drawn(1'000, 100'000) == 7);
  CHECK(drawn(1'000, 10'000'000) == 12);
}

} // namespace course::lab
