#include "device/emulator/decode/sass_counts.hpp"

#include <doctest/doctest.h>

namespace course::emulator {
namespace {

sass::Match copy(bool guarded, bool fills) {
  sass::Match match;
  match.status = sass::Match::Status::found;
  match.access.operation = sass::Operation::copy;
  match.access.guarded = guarded;
  match.access.fills = fills;
  return match;
}

// Which of two copies, that the SASS has like this, may fill.
std::pair<bool, bool> may_fill(const sass::Match& one, const sass::Match& other) {
  Code code;
  code.accesses.resize(2);
  code.accesses[1].instruction = 1;
  count_by_sass(code, {one, other}, {Proof::exact, Proof::exact}, {});
  return {code.accesses[0].may_fill, code.accesses[1].may_fill};
}

} // namespace

TEST_CASE("copies under guards, beside others that fill with zeros under guards, may fill") {
  const bool guarded = true, fills = true;
  CHECK(may_fill(copy(guarded, false), copy(guarded, fills)) == std::pair(true, true));
  CHECK(may_fill(copy(false, false), copy(guarded, fills)) == std::pair(false, true));
  CHECK(may_fill(copy(guarded, false), copy(guarded, false)) == std::pair(false, false));
  CHECK(may_fill(copy(guarded, false), copy(false, fills)) == std::pair(false, false));
}

TEST_CASE("a copy that a predicate makes fill with zeros may fill") {
  sass::Match by_predicate = copy(false, false);
  by_predicate.access.may_fill = true;
  CHECK(may_fill(by_predicate, copy(false, false)) == std::pair(true, false));
}

} // namespace course::emulator
