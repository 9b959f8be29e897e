#include "judge/compare.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace course::judge {
namespace {

constexpr std::uint64_t kTile = 32;

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

bool right(float got, float expected, Tolerance tolerance) {
  if (got == expected || bits(got) == bits(expected)) return true;
  if (!std::isfinite(got) || !std::isfinite(expected)) return false;
  const double distance = std::abs(static_cast<double>(got) - expected);
  return distance <= tolerance.absolute + tolerance.relative * std::abs(double{expected});
}

// Where the wrong elements lie, gathered while comparing.
struct Spread {
  std::uint64_t least_row = UINT64_MAX, least_col = UINT64_MAX;
  bool inside_tiles = false;

  void add(const Element& element, Extent extent) {
    least_row = std::min(least_row, element.row);
    least_col = std::min(least_col, element.col);
    inside_tiles |= element.row < extent.rows / kTile * kTile && //
                    element.col < extent.cols / kTile * kTile;
  }
};

Pattern pattern(const Comparison& result, const Spread& spread, Extent extent, bool is_input) {
  if (result.passed()) return Pattern::none;
  if (result.unwritten == result.elements) return Pattern::all_unwritten;
  if (is_input) return Pattern::equals_input;
  if (result.wrong == result.elements) return Pattern::all_wrong;
  if (extent.rows > 1 && spread.least_row == extent.rows - 1) return Pattern::last_row;
  if (extent.cols > 1 && spread.least_col == extent.cols - 1) return Pattern::last_column;
  const bool has_tiles = extent.rows >= kTile && extent.cols >= kTile;
  if (has_tiles && !spread.inside_tiles) return Pattern::past_tiles;
  return Pattern::none;
}

Element element(std::uint64_t index, Extent extent) {
  return {.index = index, .row = index / extent.cols, .col = index % extent.cols};
}

std::optional<Element> home(const Element& wrong, std::span<const float> expected, Extent extent) {
  if (wrong.unwritten) return std::nullopt;
  const auto same = [&](float value) { return bits(value) == bits(wrong.got); };
  const auto found = std::find_if(expected.begin(), expected.end(), same);
  if (found == expected.end()) return std::nullopt;
  if (std::find_if(found + 1, expected.end(), same) != expected.end()) return std::nullopt;
  return element(found - expected.begin(), extent);
}

} // namespace

Comparison compare(std::span<const float> got, std::span<const float> expected, Extent extent,
                   Tolerance tolerance, std::span<const float> input) {
  Comparison result;
  result.extent = extent;
  result.elements = expected.size();
  bool is_input = got.size() == input.size() && got.size() == expected.size();
  Spread spread;
  for (std::uint64_t i = 0; i < expected.size(); ++i) {
    const float value = i < got.size() ? got[i] : std::bit_cast<float>(kPoison);
    is_input = is_input && bits(value) == bits(input[i]);
    if (right(value, expected[i], tolerance)) continue;
    Element at = element(i, extent);
    at.expected = expected[i];
    at.got = value;
    at.unwritten = bits(value) == kPoison;
    ++result.wrong;
    result.unwritten += at.unwritten;
    result.zeros += value == 0;
    spread.add(at, extent);
    if (!result.first) result.first = at;
  }
  result.pattern = pattern(result, spread, extent, is_input);
  if (result.first) result.belongs = home(*result.first, expected, extent);
  return result;
}

std::optional<std::uint64_t> first_change(std::span<const std::byte> before,
                                          std::span<const std::byte> after) {
  const auto at = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  if (at.first == before.end() && at.second == after.end()) return std::nullopt;
  return at.first - before.begin();
}

std::string subscript(const std::string& buffer, const Element& element, Extent extent) {
  if (extent.rows == 1) return buffer + "[" + std::to_string(element.index) + "]";
  return buffer + "[" + std::to_string(element.row) + "][" + std::to_string(element.col) + "]";
}

std::string text(float value) {
  if (std::isnan(value)) return "nan";
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

std::string text(float value, float beside) {
  if (!std::isnan(value) || !std::isnan(beside)) return text(value);
  char digits[8];
  const auto end = std::to_chars(digits, digits + sizeof digits, bits(value), 16);
  return "nan (0x" + std::string(digits, end.ptr) + ")";
}

} // namespace course::judge
