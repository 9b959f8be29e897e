#include "lab/other_orders.hpp"

#include <doctest/doctest.h>

#include <set>

namespace course::lab {

TEST_CASE("where nobody can tell who was first, the last block first is the only other order") {
  const auto orders = other_orders(false, 7);
  REQUIRE(orders.size() == 1);
  CHECK(orders[0].order.kind == device::Order::Kind::backwards);
  CHECK(orders[0].drawn == 0);
}

TEST_CASE("drawn orders have numbers, and seeds of either manner that the grading's seed decides") {
  std::set<std::uint64_t> all;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto orders = other_orders(true, seed);
    REQUIRE(orders.size() == 3);
    for (std::uint32_t i = 1; i < orders.size(); ++i) {
      CHECK(orders[i].order.kind == device::Order::Kind::at_liberty);
      CHECK(orders[i].drawn == i);
      CHECK(orders[i].order.seed % 2 == (i - 1) % 2);
      CHECK(orders[i].order.seed == other_orders(true, seed)[i].order.seed);
      all.insert(orders[i].order.seed);
    }
  }
  CHECK(all.size() == 20);
}

} // namespace course::lab
