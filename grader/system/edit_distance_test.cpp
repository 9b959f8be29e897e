#include "system/edit_distance.hpp"

#include <doctest/doctest.h>

namespace course::system {

TEST_CASE("a letter put in, taken out or changed is one edit") {
  CHECK(edit_distance("access", "access") == 0);
  CHECK(edit_distance("acces", "access") == 1);
  CHECK(edit_distance("acccess", "access") == 1);
  CHECK(edit_distance("accesz", "access") == 1);
  CHECK(edit_distance("idnex", "index") == 2);
  CHECK(edit_distance("", "index") == 5);
}

} // namespace course::system
