#include "device/emulator/decode/sass_counts.hpp"

#include <doctest/doctest.h>

#include <vector>

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

// What is counted of the accesses of a tile, of four bytes each, where the SASS has so many of a
// width: bytes of each, and -1 for those that are not proven.
std::vector<int> counted(std::size_t parts, int neighbours, std::size_t in_sass, int width) {
  Code code;
  for (std::size_t place = 0; place < parts; ++place) {
    MemoryOperand& access = code.accesses.emplace_back();
    access.of_tile = {static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(parts),
                      static_cast<std::uint8_t>(neighbours)};
  }
  sass::Match match;
  match.status = sass::Match::Status::found;
  match.is_tile = true;
  match.access.memory = sass::Memory::global;
  match.access.width = static_cast<std::uint8_t>(width);
  match.begins.assign(in_sass, 0);
  count_by_sass(code, {match}, {Proof::exact}, {});
  std::vector<int> result;
  for (const MemoryOperand& access : code.accesses)
    result.push_back(access.proof == Proof::exact ? access.counted_width : -1);
  return result;
}

} // namespace

TEST_CASE("a tile is counted by the machine code where it has each access, or one for neighbours") {
  using Widths = std::vector<int>;
  CHECK(counted(4, 1, 4, 4) == Widths{4, 4, 4, 4});
  CHECK(counted(4, 2, 4, 4) == Widths{4, 4, 4, 4});
  CHECK(counted(4, 2, 2, 8) == Widths{8, 0, 8, 0});
}

TEST_CASE("a tile is not proven where the machine code has other accesses") {
  using Widths = std::vector<int>;
  CHECK(counted(4, 1, 2, 8) == Widths{-1, -1, -1, -1}); // which of them are apart
  CHECK(counted(4, 2, 1, 16) == Widths{-1, -1, -1, -1});
  CHECK(counted(2, 1, 3, 4) == Widths{-1, -1}); // more than there are
  CHECK(counted(2, 1, 4, 2) == Widths{-1, -1}); // in parts
}

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
