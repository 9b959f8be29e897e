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

// Which of two copies, that the SASS has like this, are of pairs.
std::pair<bool, bool> in_pairs(const sass::Match& one, const sass::Match& other) {
  Code code;
  code.accesses.resize(2);
  code.accesses[1].instruction = 1;
  count_by_sass(code, {one, other}, {Proof::exact, Proof::exact}, {});
  return {code.accesses[0].in_pairs, code.accesses[1].in_pairs};
}

} // namespace

TEST_CASE("copies under guards, beside others that fill with zeros under guards, are in pairs") {
  const bool guarded = true, fills = true;
  CHECK(in_pairs(copy(guarded, false), copy(guarded, fills)) == std::pair(true, true));
  CHECK(in_pairs(copy(false, false), copy(guarded, fills)) == std::pair(false, true));
  CHECK(in_pairs(copy(guarded, false), copy(guarded, false)) == std::pair(false, false));
  CHECK(in_pairs(copy(guarded, false), copy(false, fills)) == std::pair(false, false));
}

} // namespace course::emulator
