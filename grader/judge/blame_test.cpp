#include "judge/blame.hpp"

#include "judge/hand_made.hpp"

#include <doctest/doctest.h>

namespace course::judge {
namespace {

std::uint32_t line(const std::vector<device::LineCounts>& rows, bool stores, std::uint64_t limit) {
  const auto* row = to_blame(rows, stores, limit);
  return row ? row->line : 0;
}

} // namespace

TEST_CASE("a line whose sectors exceed its bytes is to blame, not the one with the most") {
  auto tile = hand_made::global(22, "global_load_4", 1000, 4); // in order
  auto column = hand_made::global(23, "global_load_4", 30, 32);
  const std::vector<device::LineCounts> rows{tile, column};
  CHECK(line(rows, false, 4000) == 23);
  CHECK(sectors_in_excess(rows[0]) == 0);
  CHECK(sectors_in_excess(rows[1]) == 30 * 28);
}

TEST_CASE("where every request is in order, it is the smallest line that is one too many") {
  const auto tile = hand_made::global(22, "global_load_4", 1000, 4);
  const auto print = hand_made::global(25, "global_load_4", 1, 1);
  const auto again = hand_made::global(26, "global_load_4", 500, 4);
  CHECK(line({tile, print}, false, 4000) == 25);
  CHECK(line({tile, print, again}, false, 4000) == 22); // neither of the others alone
  CHECK(line({tile, again}, false, 4000) == 26);
}

TEST_CASE("loads and stores are told apart, and without any nobody is to blame") {
  const auto load = hand_made::global(22, "global_load_4", 10, 32);
  const auto store = hand_made::global(29, "global_store_4", 10, 16);
  CHECK(line({load, store}, true, 40) == 29);
  CHECK(line({load, store}, false, 40) == 22);
  CHECK(line({load}, true, 0) == 0);
  CHECK(line({hand_made::shared(22, "shared_load_4", 10, 32)}, false, 0) == 0);
}

} // namespace course::judge
