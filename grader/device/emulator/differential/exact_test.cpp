// The references' own arithmetic, against the processor's where it rounds to nearest.
#include "device/emulator/differential/lane_data.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

namespace course::emulator::differential {
namespace {

bool same(Bits mine, double theirs) {
  if (std::isnan(theirs)) return exact(mine, kF64).is_nan();
  return mine == std::bit_cast<Bits>(theirs);
}
Bits nearest(const Exact& number) {
  return rounded(number, kF64, Rounding::to_nearest);
}

} // namespace

TEST_CASE("sums, products, quotients, roots and fused products round as the processor's") {
  LaneData data(7);
  for (int i = 0; i < 20'000; ++i) {
    const Bits bits[3] = {data.source(64), data.source(64), data.source(64)};
    const double a = std::bit_cast<double>(bits[0]), b = std::bit_cast<double>(bits[1]),
                 c = std::bit_cast<double>(bits[2]);
    const Exact x = exact(bits[0], kF64), y = exact(bits[1], kF64), z = exact(bits[2], kF64);
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    REQUIRE(same(nearest(sum(x, y, Rounding::to_nearest)), a + b));
    REQUIRE(same(nearest(product(x, y)), a * b));
    REQUIRE(same(nearest(quotient(x, y)), a / b));
    REQUIRE(same(nearest(root(x)), std::sqrt(a)));
    REQUIRE(same(nearest(sum(product(x, y), z, Rounding::to_nearest)), std::fma(a, b, c)));
    REQUIRE(same(nearest(integral(x, Rounding::down)), std::floor(a)));
    REQUIRE(same(nearest(integral(x, Rounding::to_nearest)), std::nearbyint(a)));
    if (!x.is_nan() && !y.is_nan()) REQUIRE(less(x, y) == (a < b));
  }
}

TEST_CASE("narrower formats and other roundings") {
  const auto half = [](double number, Rounding rounding) {
    return rounded(exact(std::bit_cast<Bits>(number), kF64), kF16, rounding);
  };
  CHECK(half(1.0, Rounding::to_nearest) == 0x3c00);
  CHECK(half(1 + 0x1p-11, Rounding::to_nearest) == 0x3c00); // a tie, to even
  CHECK(half(1 + 0x1p-11, Rounding::ties_away) == 0x3c01);
  CHECK(half(1 + 0x1p-11, Rounding::up) == 0x3c01);
  CHECK(half(-1 - 0x1p-11, Rounding::up) == 0xbc00);
  CHECK(half(-1 - 0x1p-11, Rounding::down) == 0xbc01);
  CHECK(half(65520, Rounding::to_nearest) == 0x7c00);
  CHECK(half(65520, Rounding::to_zero) == 0x7bff);
  CHECK(half(-1e9, Rounding::up) == 0xfbff);
  CHECK(half(0x1p-24, Rounding::to_nearest) == 1);
  CHECK(half(0x1p-25, Rounding::to_nearest) == 0);
  CHECK(half(0x1p-40, Rounding::up) == 1);
  CHECK(half(0x1.ffcp-15, Rounding::to_nearest) == 0x400); // the largest subnormal rounds up
}

TEST_CASE("integers are clamped to where they must fit") {
  const Exact large = exact(std::bit_cast<Bits>(1e300), kF64);
  CHECK(clamped(large, -128, 127) == 127);
  CHECK(clamped(negated(large), -128, 127) == -128);
  CHECK(clamped(exact(-5), 0, 255) == 0);
  CHECK(clamped(exact(-5), -128, 127) == -5);
}

} // namespace course::emulator::differential
