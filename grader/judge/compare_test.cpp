#include "judge/compare.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace course::judge {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kUnwritten = std::bit_cast<float>(kPoison);

// 1, 2, 3, … in row-major order
std::vector<float> counting(Extent extent) {
  std::vector<float> values(extent.rows * extent.cols);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  return values;
}

Comparison exact(const std::vector<float>& got, const std::vector<float>& expected) {
  return compare(got, expected, {1, expected.size()}, {});
}

} // namespace

TEST_CASE("equal outputs pass, and -0 is 0") {
  CHECK(exact({1, 2, 0.0f}, {1, 2, -0.0f}).passed());
}

TEST_CASE("one wrong element in many is found, with its row and column") {
  const Extent extent{40, 50};
  const auto expected = counting(extent);
  auto got = expected;
  got[7 * 50 + 3] = -1;
  const auto result = compare(got, expected, extent, {});
  CHECK(result.wrong == 1);
  REQUIRE(result.first);
  CHECK(result.first->row == 7);
  CHECK(result.first->col == 3);
  CHECK(result.first->expected == 354);
  CHECK(result.first->got == -1);
  CHECK_FALSE(result.first->unwritten);
}

TEST_CASE("the last bit counts where no tolerance is given") {
  CHECK_FALSE(exact({std::nextafter(1.0f, 2.0f)}, {1}).passed());
}

TEST_CASE("NaN fails wherever a number is expected, with any tolerance") {
  CHECK_FALSE(exact({kNan}, {1}).passed());
  const std::vector<float> got{kNan}, expected{1};
  CHECK_FALSE(compare(got, expected, {1, 1}, {1e30, 1e30}).passed());
}

TEST_CASE("a number fails where NaN or infinity is expected, with any tolerance") {
  const Tolerance loose{1e30, 1e30};
  for (const float special : {kNan, kInf, -kInf}) {
    const std::vector<float> got{1}, expected{special};
    CHECK_FALSE(compare(got, expected, {1, 1}, loose).passed());
  }
  CHECK(exact({kInf}, {kInf}).passed());
  CHECK_FALSE(exact({-kInf}, {kInf}).passed());
}

TEST_CASE("a tolerance is relative to the expected value and has an edge") {
  const std::vector<float> expected{1000};
  const auto passes = [&](float value, Tolerance tolerance) {
    const std::vector<float> got{value};
    return compare(got, expected, {1, 1}, tolerance).passed();
  };
  CHECK(passes(1001, {0, 1e-3}));
  CHECK_FALSE(passes(1001.1f, {0, 1e-3}));
  CHECK(passes(1000.5f, {0.5, 0}));
  CHECK_FALSE(passes(1000.6f, {0.5, 0}));
  CHECK_FALSE(passes(0, {0, 1e-3}));
}

TEST_CASE("elements that were never written are counted apart from wrong ones") {
  const auto result = exact({1, kUnwritten, 7, kUnwritten}, {1, 2, 3, 4});
  CHECK(result.wrong == 3);
  CHECK(result.unwritten == 2);
  CHECK(result.first->index == 1);
  CHECK(result.first->unwritten);
}

TEST_CASE("an output that is too short is wrong where it ends") {
  const auto result = exact({1, 2}, {1, 2, 3});
  CHECK(result.wrong == 1);
  CHECK(result.first->index == 2);
}

TEST_CASE("what the wrong elements have in common is named") {
  const Extent extent{40, 50};
  const auto expected = counting(extent);
  const auto spoil = [&](auto where) {
    auto got = expected;
    for (std::uint64_t r = 0; r < extent.rows; ++r)
      for (std::uint64_t c = 0; c < extent.cols; ++c)
        if (where(r, c)) got[r * extent.cols + c] = -5;
    return compare(got, expected, extent, {}).pattern;
  };
  CHECK(spoil([](auto, auto) { return false; }) == Pattern::none);
  CHECK(spoil([](auto, auto) { return true; }) == Pattern::all_wrong);
  CHECK(spoil([](auto r, auto) { return r == 39; }) == Pattern::last_row);
  CHECK(spoil([](auto, auto c) { return c == 49; }) == Pattern::last_column);
  CHECK(spoil([](auto r, auto c) { return r >= 32 || c >= 32; }) == Pattern::past_tiles);
  CHECK(spoil([](auto r, auto c) { return r == 0 || c >= 32; }) == Pattern::none);
}

TEST_CASE("an output that nobody wrote is said so") {
  CHECK(exact({kUnwritten, kUnwritten}, {1, 2}).pattern == Pattern::all_unwritten);
}

TEST_CASE("an output that is the input is said so") {
  const std::vector<float> input{1, 2, 3, 4}, expected{1, 3, 2, 4};
  CHECK(compare(input, expected, {2, 2}, {}, input).pattern == Pattern::equals_input);
  const std::vector<float> other{1, 2, 3, 5};
  CHECK(compare(other, expected, {2, 2}, {}, input).pattern != Pattern::equals_input);
}

TEST_CASE("a value that stands in the wrong place is traced to its own") {
  const Extent extent{2, 3};
  const std::vector<float> expected{1, 2, 3, 4, 5, 6}, got{1, 6, 3, 4, 5, 6};
  const auto result = compare(got, expected, extent, {});
  REQUIRE(result.belongs);
  CHECK(result.belongs->row == 1);
  CHECK(result.belongs->col == 2);
}

TEST_CASE("a value that stands in two places, or in none, is not traced") {
  CHECK_FALSE(exact({9, 2, 2}, {1, 2, 2}).belongs);
  CHECK_FALSE(exact({2, 2, 2}, {1, 2, 2}).belongs);
}

TEST_CASE("the first changed byte is found, and so is a missing one") {
  using Bytes = std::vector<std::byte>;
  const Bytes before{std::byte{1}, std::byte{2}, std::byte{3}};
  CHECK_FALSE(first_change(before, before));
  CHECK(first_change(before, Bytes{std::byte{1}, std::byte{9}, std::byte{3}}) == 1);
  CHECK(first_change(before, Bytes{std::byte{1}, std::byte{2}}) == 2);
}

TEST_CASE("floats are printed in the digits they need") {
  CHECK(text(0.1f) == "0.1");
  CHECK(text(16777215.0f) == "16777215");
  CHECK(text(-kInf) == "-inf");
  CHECK(text(kNan) == "nan");
  CHECK(text(kNan, 1) == "nan");
  CHECK(text(1, kNan) == "1");
  CHECK(text(kNan, -kNan) != text(-kNan, kNan)); // or it said: expected nan, got nan
  CHECK(text(kNan, -kNan) == "nan (0x7fc00000)");
}

TEST_CASE("wrong zeros are counted, right ones are not") {
  const std::vector<float> expected{1, 0, 2, 3}, got{0, 0, -0.0f, 3};
  const auto result = compare(got, expected, {1, 4}, {});
  CHECK(result.wrong == 2);
  CHECK(result.zeros == 2);
}

} // namespace course::judge
