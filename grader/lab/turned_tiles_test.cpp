#include "lab/turned_tiles.hpp"

#include "lab/labs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace course::lab {

TEST_CASE("each tile is turned in its own place") {
  const Floats in{1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60};
  CHECK(turned(in, {2, 3}) == Floats{1, 4, 2, 5, 3, 6, 10, 40, 20, 50, 30, 60});
  CHECK(turned(turned(in, {2, 3}), {3, 2}) == in);
  CHECK(turned({}, {32, 32}).empty());
}

TEST_CASE("infinities and a NaN are among the numbers to move, unless they are counted") {
  const auto nans = [](const Floats& values) {
    return std::count_if(values.begin(), values.end(), [](float x) { return std::isnan(x); });
  };
  CHECK(nans(numbers_to_move(1000, Flavour::random, 1)) == 1);
  CHECK(nans(numbers_to_move(1000, Flavour::exact, 1)) == 0);
  CHECK(nans(numbers_to_move(10, Flavour::spikes, 1)) == 0);
}

TEST_CASE("the bounds of whole tiles leave room for one who looks at some words again") {
  const auto one = turned_tiles(3, {16, 32});
  CHECK(one.shape == "3 tiles of 16 x 32");
  CHECK(one.bounds.elements == 1536);
  CHECK(one.bounds.conflicts == 0);
  CHECK(one.bounds.shared_loads.low == 48);
  CHECK(one.bounds.shared_loads.high == 72);
  CHECK(one.bounds.global_loads.requests == 48);
  CHECK(one.bounds.global_loads.sectors == 212);
}

TEST_CASE("row_column asks for 992 conflicts a tile, and for twice the traffic") {
  for (const auto& exercise : banks()) {
    if (exercise.name() != "2_row_column") continue;
    const auto& two = exercise.cases[1];
    CHECK(two.bounds.conflicts == 2 * 992);
    CHECK(two.bounds.shared_stores.low == 2 * 2 * 32);
    CHECK(two.operands[0].elements == 2 * two.operands[1].elements);
    const auto inputs = two.inputs(Flavour::exact, 5);
    const auto out = two.reference(inputs);
    CHECK(std::equal(inputs[1].begin(), inputs[1].end(), out.begin()));
    CHECK(out[2 * 1024 + 1] == inputs[1][32]);
  }
}

TEST_CASE("a tile too large for a block is asked to use no shared memory") {
  for (const auto& exercise : dynamic_shared_memory()) {
    if (exercise.name() != "3_opt_in") continue;
    for (const auto& one : exercise.cases) {
      const bool too_large = one.shape.find("too large") != std::string::npos;
      CHECK((one.bounds.shared_loads.high == 0) == too_large);
      CHECK((one.extent.cols > 240) == too_large);
    }
  }
}

} // namespace course::lab
