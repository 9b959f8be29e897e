#include "judge/known_checks.hpp"

#include <doctest/doctest.h>

namespace course::judge {

TEST_CASE("a check that judge makes has the name of its row, and no other is made") {
  for (const auto& row : kKnownChecks) {
    CAPTURE(row.name);
    const auto check = check_known(row.kind, {});
    CHECK(check.has_value() == (row.maker != KnownCheck::Maker::elsewhere));
    if (check) CHECK(check->name == row.name);
  }
  CHECK_FALSE(check_known(CheckKind::own, {}));
}

TEST_CASE("a name is that of one kind, and any other name is an exercise's own check") {
  for (const auto& row : kKnownChecks) {
    CHECK(check_kind(row.name) == row.kind);
    CHECK(known(row.kind).name == row.name);
  }
  CHECK(check_kind("my_answers") == CheckKind::own);
  CHECK(check_kind("") == CheckKind::own);
}

} // namespace course::judge
