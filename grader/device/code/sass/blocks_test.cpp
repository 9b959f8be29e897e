#include "device/code/sass/blocks.hpp"

#include "device/code/sass/decode.hpp"

#include <doctest/doctest.h>

#include <span>

namespace course::sass {
namespace {

// As seen in cubins.
constexpr Word kNop{0x7918, 0};
constexpr Word kExit{0x794d, 0};
constexpr Word kExitIfP0{0x094d, 0};
constexpr Word kJumpThroughRegister{0x7949, 0};

constexpr Word branch(std::int64_t bytes, std::uint64_t guard = 7) {
  const auto steps = static_cast<std::uint64_t>(bytes / 4);
  return {0x947 | guard << 12 | (steps & 0xff) << 16 | steps >> 8 << 34,
          (steps >> 38 & 0x3ffff) | 7ull << 23};
}

std::vector<Block> blocks_in(const std::vector<Word>& words) {
  return blocks(std::as_bytes(std::span(words)));
}

using Indices = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("a branch is read as ptxas writes it") {
  constexpr Word forward = branch(0x790, 0), self = branch(-0x10), back = branch(-0xa0, 0);
  CHECK(forward.low == 0x0000'0004'00e4'0947);
  CHECK(self.low == 0xffff'fffc'00fc'7947);
  CHECK((self.high & 0x3ffff) == 0x3ffff);
  CHECK(back.low == 0xffff'fffc'00d8'0947);
}

TEST_CASE("code without a branch is one block, and the thread ends behind it") {
  const auto all = blocks_in({kNop, kNop, kExit});
  REQUIRE(all.size() == 1);
  CHECK(all[0].begin == 0);
  CHECK(all[0].end == 48);
  CHECK(all[0].successors == Indices{1});
}

TEST_CASE("a loop is a block that follows itself") {
  const auto all = blocks_in({kNop, kNop, branch(-32, 1), kExit});
  REQUIRE(all.size() == 3);
  CHECK(all[0].successors == Indices{1});
  CHECK(all[1].begin == 16);
  CHECK(all[1].successors == Indices{2, 1});
  CHECK(all[2].successors == Indices{3});
}

TEST_CASE("lanes that do not end go on behind an exit") {
  const auto all = blocks_in({kExitIfP0, kNop, kExit});
  REQUIRE(all.size() == 2);
  CHECK(all[0].successors == Indices{1, 2});
}

TEST_CASE("a branch of the warp may go either way whatever its guard") {
  Word of_warp = branch(16);
  of_warp.low |= 1ull << 32;
  CHECK(blocks_in({of_warp, kNop, kExit}).at(0).successors == Indices{1, 2});
  CHECK(blocks_in({branch(16), kNop, kExit}).at(0).successors == Indices{2});
}

TEST_CASE("nothing is said of code whose branches leave it") {
  CHECK(blocks_in({}).empty());
  CHECK(blocks_in({branch(4096), kExit}).empty());
  CHECK(blocks_in({branch(-4096), kExit}).empty());
  CHECK(blocks_in({branch(8), kExit}).empty());
  CHECK(blocks_in({kNop, kJumpThroughRegister, kExit}).empty());
}

} // namespace course::sass
