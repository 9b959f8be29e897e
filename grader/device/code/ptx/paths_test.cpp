#include "device/code/ptx/paths.hpp"

#include "device/code/ptx/parse.hpp"

#include <doctest/doctest.h>

namespace course::ptx {

TEST_CASE("what every path goes through dominates, itself included") {
  //  0 -> 1 -> 3, 0 -> 2 -> 3, 4 is reached by nobody
  const Paths paths({{1, 2}, {3}, {3}, {}, {3}});
  CHECK(paths.dominates(0, 3));
  CHECK(paths.dominates(3, 3));
  CHECK_FALSE(paths.dominates(1, 3));
  CHECK_FALSE(paths.dominates(0, 4));
  CHECK_FALSE(paths.dominates(4, 3));
  CHECK(paths.dominator(3) == 0);
  CHECK(paths.dominator(0) == kNowhere);
  CHECK(paths.only_from(0, 1));
  CHECK_FALSE(paths.only_from(1, 3));
}

TEST_CASE("a loop has one header, which comes first") {
  //  0 -> 1 -> 2 -> 1, and 2 -> 3
  const auto found = innermost_loops(Paths({{1}, {2}, {1, 3}, {}}));
  REQUIRE(found.size() == 1);
  CHECK(found[0] == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("of loops in one another the inner one counts") {
  //  0 -> 1 -> 2 -> 3 -> 2, 3 -> 4 -> 1, 4 -> 5
  const auto found = innermost_loops(Paths({{1}, {2}, {3}, {2, 4}, {1, 5}, {}}));
  REQUIRE(found.size() == 1);
  CHECK(found[0] == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("thousands of loops in one another take no memory to speak of") {
  constexpr std::uint32_t kLoops = 8000;
  std::vector<std::vector<std::uint32_t>> successors(2 * kLoops + 1);
  for (std::uint32_t i = 0; i < kLoops; ++i) {
    successors[i] = {i + 1};
    successors[kLoops + i] = {kLoops - 1 - i, kLoops + i + 1};
  }
  const auto found = innermost_loops(Paths(std::move(successors)));
  REQUIRE(found.size() == 1);
  CHECK(found[0] == std::vector<std::uint32_t>{kLoops - 1, kLoops});
}

TEST_CASE("a cycle that is entered in two places is no loop") {
  CHECK(innermost_loops(Paths({{1, 2}, {2}, {1, 3}, {}})).empty());
}

TEST_CASE("blocks of PTX end at branches and begin at labels") {
  const auto parsed = ptx::parse(R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 n) {
.reg .pred %p<3>;
.reg .b32 %r<4>;
mov.u32 %r1, %tid.x;
$again:
setp.gt.u32 %p1, %r1, 7;
@%p1 bra $again;
@%p1 ret;
mov.u32 %r2, %r1;
ret;
})");
  REQUIRE(std::holds_alternative<ptx::Module>(parsed));
  const auto blocks = blocks_of(std::get<ptx::Module>(parsed).functions.at(0));
  CHECK(blocks.begins == std::vector<std::uint32_t>{0, 1, 3, 4, 6});
  CHECK(blocks.end() == 4);
  using Indices = std::vector<std::uint32_t>;
  CHECK(blocks.paths.successors(0) == Indices{1});
  CHECK(blocks.paths.successors(1) == Indices{1, 2});
  CHECK(blocks.paths.successors(2) == Indices{3, 4});
  CHECK(blocks.paths.successors(3) == Indices{4});
  CHECK(innermost_loops(blocks.paths).size() == 1);
  CHECK(blocks.block_of[5] == 3);
}

} // namespace course::ptx
