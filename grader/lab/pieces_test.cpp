#include "lab/pieces.hpp"

#include <doctest/doctest.h>

namespace course::lab {

TEST_CASE("aligned rows take four sectors for 32 floats, others one more here and there") {
  CHECK(in_pieces(4, 64, 32).requests == 8);
  CHECK(in_pieces(4, 64, 32).sectors == 32);
  CHECK(in_pieces(1, 33, 32).sectors == 5);
  CHECK(in_pieces(2, 33, 32).sectors == 5 + 6); // the second row begins inside a sector
  CHECK(in_pieces(3, 0, 32).requests == 0);
}

TEST_CASE("narrower pieces are more requests, and touch shared sectors again") {
  CHECK(in_pieces(1, 64, 16).requests == 4);
  CHECK(in_pieces(1, 64, 16).sectors == 8);
  CHECK(in_pieces(1, 64, 4).sectors == 16);
}

TEST_CASE("bounds add up, and leave room for a tenth") {
  const auto twice = times(in_pieces(1, 32, 32), 2);
  CHECK(sum(twice, {1, 3}).requests == 3);
  CHECK(sum(twice, {1, 3}).sectors == 11);
  CHECK(with_room(twice).sectors == 9);
  CHECK(with_room(twice, 5).sectors == 14);
  CHECK(with_room(twice).requests == 2); // they say what a request is, and are no limit
}

} // namespace course::lab
