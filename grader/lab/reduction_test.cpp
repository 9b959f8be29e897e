#include "lab/labs.hpp"
#include "lab/named.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace course::lab {
namespace {

Exercise exercise(const std::string& name) {
  return named(exercises(COURSE_SOURCE_DIR), name);
}

} // namespace

TEST_CASE("sums of blocks have one element a block, the last of a part") {
  const auto sequential = exercise("1_sequential");
  const auto& one = with(sequential, "257 elements");
  Floats in(257, 1.0f);
  in[256] = 5;
  CHECK(one.reference({{}, in}) == Floats{256, 5});
  CHECK(one.operands[0].elements == 2);
  CHECK(with(sequential, "0 elements").reference({{}, {}}).empty());
}

TEST_CASE("a tree may be one of shuffles, as long as the sums of warps meet in shared memory") {
  const auto sequential = exercise("1_sequential");
  const auto& bounds = with(sequential, "257 elements").bounds;
  CHECK(bounds.shared_stores.low == 1);
  CHECK(bounds.shared_loads.low == 1);
  CHECK(bounds.shared_loads.high < 2 * 95); // where every warp works in every round
}

TEST_CASE("the end of an array may come one by one behind wide loads, but a strided walk is seen") {
  const auto unroll = exercise("2_unroll");
  CHECK(with(unroll, "31 elements").bounds.global_loads.sectors >= 7); // seven int4s, three ints
  CHECK(with(unroll, "65,537 elements").bounds.global_loads.sectors < 8193 * 5 / 4);
}

TEST_CASE("the sums of as many blocks as fill the device may be read again") {
  const auto whole = exercise("4_whole_array");
  const std::uint64_t blocks = 8 * 132;
  CHECK(with(whole, "4,099 elements").bounds.global_loads.sectors >= 513 + blocks / 8);
  CHECK(with(whole, "65,536 elements").bounds.global_loads.sectors < 2 * 8192); // all of it again
}

TEST_CASE("a sum of integers is a float, and those of its parts are not") {
  for (const auto* name : {"2_unroll", "3_no_race", "4_whole_array"}) {
    for (const auto& shape : exercise(name).cases) {
      const auto in = shape.inputs(Flavour::random, 5)[1];
      if (in.size() < 1000) continue;
      float by_floats = 0;
      double exact = 0, size = 0;
      for (const float x : in) by_floats += x, exact += x, size += std::abs(x);
      INFO(name << " " << shape.shape.label);
      CHECK(by_floats != exact);
      CHECK((size < std::numeric_limits<std::int32_t>::max() || shape.extent.cols > 1));
    }
  }
}

TEST_CASE("sums of integers are exact as floats, whatever the flavour") {
  const auto whole = exercise("4_whole_array");
  for (const auto& one : whole.cases) {
    for (const auto flavour : kFlavours) {
      const auto inputs = one.inputs(flavour, 11);
      double sum = 0;
      bool exact = true;
      for (const float x : inputs[1]) {
        sum += x;
        exact = exact && x == std::trunc(x);
      }
      INFO(one.shape.label);
      CHECK(exact);
      CHECK(std::abs(sum) < 1 << 24);
      CHECK(one.reference(inputs) == Floats{static_cast<float>(sum)});
    }
  }
}

TEST_CASE("a float sum that lacks one element is outside the tolerance") {
  const auto sequential = exercise("1_sequential");
  const auto& one = with(sequential, "256 elements");
  for (const auto flavour : {Flavour::random, Flavour::exact}) {
    auto inputs = one.inputs(flavour, 3);
    const double all = one.reference(inputs)[0];
    for (std::size_t i = 0; i < inputs[1].size(); ++i) {
      const double lacking = all - inputs[1][i];
      CHECK(std::abs(lacking - all) > one.tolerance.relative * all);
    }
  }
}

TEST_CASE(
    "only a large array says how many threads it wants, and it is too large not to be walked") {
  const auto whole = exercise("4_whole_array");
  CHECK(with(whole, "1,021 elements").bounds.others.count("threads") == 0);
  const std::uint64_t n = 4'194'307, resident = 132 * 2048;
  const auto& large = with(whole, "4,194,307 elements").bounds.others.at("threads");
  CHECK(large.low == 132 * 256);
  CHECK(large.high >= resident + resident / 10);
  CHECK(large.high < n / 4); // a thread for every int4 is one too many
}

} // namespace course::lab
