#include "lab/formula.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace course::lab {
namespace {

std::string why(Scope& scope, const std::string& formula) {
  try {
    scope.whole(formula);
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("a formula speaks of variables, and is rounded down where a whole number is wanted") {
  Scope scope;
  scope.set("rows", 67);
  scope.assign("tiles = ceil(rows / 32)");
  CHECK(scope.whole("tiles * 32 - rows") == 29);
  CHECK(scope.whole("rows / 2") == 33);
  CHECK(scope.number("rows / 2") == 33.5);
  CHECK(scope.whole("rows % 32 ? 1 : 0") == 1);
  CHECK(scope.whole("room(rows)") == 74);
  CHECK(scope.whole("piece_requests(2, 33, 32)") == 4);
  CHECK(scope.whole("piece_sectors(2, 33, 32)") == 11);
  CHECK(scope.whole("any") == UINT64_MAX);
  CHECK(scope.holds("rows > 66 && tiles == 3"));
}

TEST_CASE("a variable that changes changes what was read before") {
  Scope scope;
  scope.set("n", 1);
  CHECK(scope.whole("2 * n") == 2);
  scope.set("n", 5);
  CHECK(scope.whole("2 * n") == 10);
  scope.set("more", 1);
  CHECK(scope.whole("2 * n + more") == 11);
}

TEST_CASE("large products are exact") {
  Scope scope;
  scope.set("n", 1 << 24);
  CHECK(scope.whole("100 * n + n / 32") == 100ull * (1 << 24) + (1 << 19));
}

TEST_CASE("what is wrong with a formula is said with the formula") {
  Scope scope;
  scope.set("n", 3);
  CHECK(why(scope, "2 * m").starts_with("`2 * m`: "));
  CHECK(why(scope, "2 *").starts_with("`2 *`: "));
  CHECK(why(scope, "n - 4") == "`n - 4` is below zero, or no number");
  CHECK(why(scope, "0 / 0") == "`0 / 0` is below zero, or no number");
  CHECK(why(scope, "2 ^ 60") == "`2 ^ 60` is above 2^53");
  CHECK(why(scope, "room(n - 4)") == "`room(n - 4)`: a value is below zero, or no number");
  CHECK(why(scope, "between(1, 9)") ==
        "`between(1, 9)`: only a drawn shape is drawn from the seed");
  CHECK_THROWS_AS(scope.assign("n + 1"), FormulaError);
  CHECK_THROWS_AS(scope.assign("N = 1"), FormulaError);
}

TEST_CASE("what is drawn is drawn anew each time, and the same for the same seed") {
  const auto drawn = [](std::uint64_t seed) {
    Draw draw(seed);
    Scope scope(&draw);
    std::vector<double> all;
    for (int i = 0; i < 20; ++i) all.push_back(scope.number("between(1, 1000)"));
    all.push_back(scope.number("prime(8, 20)"));
    all.push_back(scope.number("one_of(5, 7)"));
    return all;
  };
  const auto once = drawn(1);
  CHECK(once == drawn(1));
  CHECK(once != drawn(2));
  CHECK(std::ranges::count(once, once[0]) < 3);
  Draw draw(1);
  Scope scope(&draw);
  CHECK(why(scope, "prime(8, 10)") == "`prime(8, 10)`: there is no prime between 8 and 10");
  CHECK(why(scope, "between(9, 8)") == "`between(9, 8)`: there is nothing between 9 and 8");
}

} // namespace course::lab
