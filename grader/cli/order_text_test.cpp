#include "cli/order_text.hpp"

#include <doctest/doctest.h>

namespace course::cli {

TEST_CASE("chosen orders are typed as they are shown") {
  const ChosenOrders orders{{1, {0, 64, 64, 0}}, {3, {32}}};
  CHECK(order_text(orders) == "1:0.64x2.0+3:32");
  CHECK(orders_of("1:0.64x2.0+3:32") == orders);
  CHECK(orders_of("0:") == ChosenOrders{{0, {}}}); // as usual
}

TEST_CASE("a drawn order has a whole number, from 1") {
  CHECK(drawn_of("7") == 7);
  for (const char* text : {"", "0", "-1", "+1", "2.5", "1e3", "0x10", "99999999999999999999"})
    CHECK_FALSE(drawn_of(text));
}

TEST_CASE("what is no chosen order is refused") {
  for (const char* text :
       {"", "7", "x", "1:a", "1:0x", "1:0x-1", ":0", "1:0+1:1", "1:0x4000000000"})
    CHECK_FALSE(orders_of(text));
}

} // namespace course::cli
