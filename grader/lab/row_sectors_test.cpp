#include "lab/row_sectors.hpp"

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

TEST_CASE("room is a tenth, rounded up") {
  CHECK(with_room(0) == 0);
  CHECK(with_room(1) == 2);
  CHECK(with_room(10) == 11);
  CHECK(with_room(11) == 13);
}

} // namespace course::lab
