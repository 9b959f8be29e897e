#include "device/gpu/variation.hpp"
#include "lab/labs.hpp"
#include "lab/named.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace course::lab {
namespace {

Exercise of_shuffles(const std::string& name) {
  return named(exercises(COURSE_SOURCE_DIR), name);
}

Floats in_turn(std::size_t count) {
  Floats values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

Floats row(const Floats& out, std::size_t r, std::size_t n) {
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(r * n);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

} // namespace

TEST_CASE("moves stay within their group, and leave alone what has no source") {
  const auto moves = of_shuffles("1_moves");
  const auto out = with(moves, "33 elements in groups of 8").reference({{}, in_turn(33)});
  REQUIRE(out.size() == 4 * 33);
  const auto broadcast = row(out, 0, 33), up = row(out, 1, 33), down = row(out, 2, 33),
             around = row(out, 3, 33);
  CHECK(broadcast[7] == 0);
  CHECK(broadcast[8] == 8);
  CHECK(up[9] == 9); // has none before it in its group
  CHECK(up[10] == 8);
  CHECK(down[5] == 7);
  CHECK(down[6] == 6);
  CHECK(around[6] == 0);
  CHECK(around[15] == 9);
  for (const auto& result : {broadcast, up, down, around}) CHECK(result[32] == 32); // all alone
}

TEST_CASE("bodies change places with their partners, where there are partners") {
  const auto butterfly = of_shuffles("2_butterfly");
  const auto out = with(butterfly, "33 bodies, mask 2").reference({{}, in_turn(33 * 8)});
  CHECK(out[0] == 16);
  CHECK(out[2 * 8 + 7] == 7);
  CHECK(out[32 * 8 + 3] == 32 * 8 + 3); // 34 does not exist
}

TEST_CASE("a sum has the elements of its own warp, or block, and the last has fewer") {
  const auto warp = of_shuffles("3_warp_sum"), block = of_shuffles("4_block_sum");
  const Floats ones(1009, 1.0f);
  const auto warps = with(warp, "1,009 elements").reference({{}, ones});
  REQUIRE(warps.size() == 32);
  CHECK(warps[30] == 32);
  CHECK(warps[31] == 17);
  CHECK(with(block, "1,009 elements").reference({{}, ones}) == Floats{512, 497});
}

TEST_CASE("a float sum that lacks one element is outside the tolerance") {
  const auto block = of_shuffles("4_block_sum");
  const auto& one = with(block, "257 elements");
  for (const auto flavour : {Flavour::random, Flavour::exact}) {
    const auto inputs = one.inputs(flavour, 3);
    const double all = one.reference(inputs)[0];
    for (const float x : inputs[1])
      CHECK(std::abs(x) > one.tolerance.relative * std::abs(all)); // all are of one sign
  }
}

TEST_CASE("running sums of integers are exact as floats, whatever the flavour") {
  for (const auto& one : of_shuffles("7_tiles").cases) {
    for (const auto flavour : kFlavours) {
      const auto inputs = one.inputs(flavour, 11);
      const auto out = one.reference(inputs);
      double sum = 0, largest = 0;
      bool right = out.size() == inputs[1].size();
      for (std::size_t i = 0; right && i < out.size(); ++i) {
        sum += inputs[1][i];
        largest = std::max(largest, std::abs(sum));
        right = out[i] == sum && inputs[1][i] == std::trunc(inputs[1][i]);
      }
      INFO(one.shape.label);
      CHECK(right);
      CHECK(largest < 1 << 24);
    }
  }
}

TEST_CASE("running sums of what is timed are floats wherever a run moves its elements") {
  const auto largest = [](const Case& shape, Flavour flavour) {
    const auto in = shape.inputs(flavour, 11)[1];
    double most = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      double sum = 0;
      for (const float x : gpu::varied(in, 1, seed)) most = std::max(most, std::abs(sum += x));
    }
    return most;
  };
  for (const auto* name : {"5_scan", "6_block_scan", "7_tiles"}) {
    INFO(name);
    const auto all = of_shuffles(name);
    const auto& shape = with(all, "4,099 elements");
    CHECK(largest(shape, Flavour::timed) < 1 << 24);
    CHECK(largest(shape, Flavour::random) > 1 << 24); // which a run of those would be wrong by
  }
}

TEST_CASE("a running sum of integers is a float, and that of some elements on the way is not") {
  for (const auto* name : {"5_scan", "6_block_scan", "7_tiles"}) {
    const auto all = of_shuffles(name);
    const auto in = with(all, "4,099 elements").inputs(Flavour::random, 11)[1];
    bool lost = false;
    for (std::size_t i = 0; i + 4 <= in.size(); ++i) {
      const double exact = double{in[i]} + in[i + 1] + in[i + 2] + in[i + 3];
      lost = lost || static_cast<double>(static_cast<float>(exact)) != exact;
    }
    INFO(name);
    CHECK(lost);
  }
}

TEST_CASE("a group's running sums know nothing of the group before it") {
  const auto lanes = of_shuffles("5_scan"), block = of_shuffles("6_block_scan");
  const Floats ones(1025, 1.0f);
  const auto groups = with(lanes, "1,024 elements").reference({{}, ones});
  CHECK(groups[31] == 32);
  CHECK(groups[32] == 1);
  const auto tiles = with(block, "1,025 elements").reference({{}, ones});
  CHECK(tiles[1023] == 1024);
  CHECK(tiles[1024] == 1);
}

TEST_CASE("shuffles have a floor, so that loads cannot take their place") {
  const auto moves = of_shuffles("1_moves");
  const auto& one = with(moves, "1,009 elements in groups of 16").bounds.others.at("shuffles");
  CHECK(one.low == 4 * 32);
  CHECK(one.high == 2 * 141); // a tenth more than in a block of 1,024, for each half of a warp
}

TEST_CASE("words of a block may be added up one by one, and by fewer warps, but by two") {
  const auto block = of_shuffles("4_block_sum"), scan = of_shuffles("7_tiles");
  const auto& bounds = with(block, "1,024 elements").bounds;
  CHECK(bounds.shared_loads.high >= 2 * 16);
  CHECK(bounds.shared_stores.low == 2);
  CHECK(bounds.others.at("shuffles").low == 2 * 2 * 5);
  const auto& tile = with(scan, "1,025 elements").bounds;
  CHECK(tile.shared_loads.high >= 2 * 2 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
}

} // namespace course::lab
