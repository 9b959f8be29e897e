#include "lab/other_orders.hpp"

#include "lab/inputs.hpp"

namespace course::lab {

namespace {

// Seeds are even and odd in turns: of the even ones all go step by step, of the others a few are
// stopped for long (emulator/execute/liberties.hpp). What one manner does not show, the other does.
constexpr std::uint32_t kDrawn = 2;

} // namespace

std::vector<OtherOrder> other_orders(bool order_matters, std::uint64_t seed) {
  using Kind = device::Order::Kind;
  std::vector<OtherOrder> orders{{{Kind::backwards, 0}}};
  for (std::uint32_t i = 0; order_matters && i < kDrawn; ++i)
    orders.push_back({{Kind::at_liberty, (derive(seed, i) & ~std::uint64_t{1}) | (i & 1)}, i + 1});
  return orders;
}

} // namespace course::lab
