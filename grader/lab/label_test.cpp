#include "lab/label.hpp"

#include <doctest/doctest.h>

namespace course::lab {

TEST_CASE("a label counts, and has commas where it is asked to") {
  Scope scope;
  scope.set("n", 4099);
  scope.set("one", 1);
  CHECK(label_of("{n} x {one}", scope) == "4099 x 1");
  CHECK(label_of("{n,} + {one,}", scope) == "4,099 + 1");
  CHECK(label_of("{n:element}", scope) == "4,099 elements");
  CHECK(label_of("{one:tile} of {n + 1}", scope) == "1 tile of 4100");
  CHECK(label_of("{n:body/bodies}, all", scope) == "4,099 bodies, all");
  CHECK(label_of("no hole", scope) == "no hole");
  CHECK_THROWS_AS(label_of("{n", scope), FormulaError);
  CHECK_THROWS_AS(label_of("{m}", scope), FormulaError);
}

TEST_CASE("two numbers by an x, and no more, are a matrix") {
  CHECK(is_of_matrix("{rows} x {cols}"));
  for (const char* form :
       {"{m} x {n} x {k}", "{tiles:tile} of {rows} x {cols}", "{n:row} x {k}", "2 x 2"})
    CHECK_FALSE(is_of_matrix(form));
}

} // namespace course::lab
