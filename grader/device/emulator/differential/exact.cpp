#include "device/emulator/differential/exact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace course::emulator::differential {
namespace {

using Wide = unsigned __int128;

constexpr int kTop = 125; // of a normalised significand: a sum has room above

int top_bit(Wide number) {
  int top = -1;
  for (; number; number >>= 1) ++top;
  return top;
}

Exact nan() {
  Exact result;
  result.kind = Exact::Kind::nan;
  return result;
}
Exact infinity(bool negative) {
  Exact result;
  result.kind = Exact::Kind::infinite;
  result.negative = negative;
  return result;
}
Exact zero(bool negative) {
  Exact result;
  result.negative = negative;
  return result;
}

// What is shifted out is remembered in the lowest bit.
Wide shifted_down(Wide number, int by) {
  if (by == 0) return number;
  if (by > kTop) return number != 0;
  return number >> by | Wide{(number & ((Wide{1} << by) - 1)) != 0};
}

void normalise(Exact& number) {
  const int up = kTop - top_bit(number.significand);
  number.significand = up < 0 ? shifted_down(number.significand, -up) : number.significand << up;
  number.exponent -= up;
}

// number / 2^by as an integer.
Wide rounded_down(Wide number, int by, bool negative, Rounding rounding) {
  if (by <= 0) return number << -by;
  if (by > 127) return rounding == (negative ? Rounding::down : Rounding::up) && number != 0;
  const Wide kept = number >> by, rest = number & ((Wide{1} << by) - 1);
  const Wide half = Wide{1} << (by - 1);
  switch (rounding) {
  case Rounding::to_nearest:
    return kept + (rest > half || (rest == half && (kept & 1)));
  case Rounding::ties_away:
    return kept + (rest >= half);
  case Rounding::to_zero:
    return kept;
  case Rounding::down:
    return kept + (negative && rest);
  case Rounding::up:
    return kept + (!negative && rest);
  }
  return kept;
}

} // namespace

Exact exact(Bits bits, const Format& format) {
  const int stored = format.precision - 1;
  const Bits fraction = bits & ((Bits{1} << stored) - 1);
  const auto field = static_cast<int>(bits >> stored & Bits(2 * format.greatest + 1));
  const bool negative = (bits & format.sign()) != 0;
  if (field == 2 * format.greatest + 1) return fraction ? nan() : infinity(negative);
  Exact result = zero(negative);
  result.significand = field ? fraction | Bits{1} << stored : fraction;
  result.exponent = std::max(field, 1) - format.greatest - stored;
  return result;
}

Exact exact(__int128 integer) {
  Exact result = zero(integer < 0);
  result.significand =
      integer < 0 ? Wide{0} - static_cast<Wide>(integer) : static_cast<Wide>(integer);
  return result;
}

Bits rounded(const Exact& number, const Format& format, Rounding rounding) {
  const Bits sign = number.negative ? format.sign() : 0;
  if (number.is_nan()) return format.infinity() + 1;
  if (number.is_infinite()) return sign | format.infinity();
  if (number.is_zero()) return sign;
  const int stored = format.precision - 1, least = 1 - format.greatest;
  const int exponent = std::max(top_bit(number.significand) + number.exponent, least);
  const int unit = exponent - stored;
  const Wide kept =
      rounded_down(number.significand, unit - number.exponent, number.negative, rounding);
  if (kept < Wide{1} << stored) return sign | static_cast<Bits>(kept); // subnormal
  // Where rounding carried, the sum counts the exponent up.
  const Bits field = static_cast<Bits>(exponent - least + 1);
  const Bits magnitude = (field << stored) + static_cast<Bits>(kept - (Wide{1} << stored));
  if (magnitude < format.infinity()) return sign | magnitude;
  const bool stays_finite = rounding == Rounding::to_zero ||
                            rounding == (number.negative ? Rounding::up : Rounding::down);
  return sign | (format.infinity() - stays_finite);
}

Exact negated(Exact number) {
  number.negative = !number.negative;
  return number;
}

Exact sum(const Exact& a, const Exact& b, Rounding rounding) {
  if (a.is_nan() || b.is_nan()) return nan();
  if (a.is_infinite() && b.is_infinite()) return a.negative == b.negative ? a : nan();
  if (a.is_infinite() || b.is_infinite()) return a.is_infinite() ? a : b;
  if (a.is_zero() && b.is_zero())
    return zero(a.negative == b.negative ? a.negative : rounding == Rounding::down);
  if (a.is_zero() || b.is_zero()) return a.is_zero() ? b : a;
  Exact large = a, small = b;
  normalise(large);
  normalise(small);
  if (std::pair(large.exponent, large.significand) < std::pair(small.exponent, small.significand))
    std::swap(large, small);
  const Wide aligned = shifted_down(small.significand, large.exponent - small.exponent);
  if (large.negative == small.negative)
    large.significand += aligned;
  else
    large.significand -= aligned;
  return large.significand ? large : zero(rounding == Rounding::down);
}

Exact product(const Exact& a, const Exact& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return nan();
  if (a.is_infinite() || b.is_infinite())
    return a.is_zero() || b.is_zero() ? nan() : infinity(negative);
  Exact result = zero(negative);
  result.significand = a.significand * b.significand;
  result.exponent = a.exponent + b.exponent;
  return result;
}

Exact quotient(const Exact& a, const Exact& b) {
  const bool negative = a.negative != b.negative;
  if (a.is_nan() || b.is_nan()) return nan();
  if (a.is_infinite()) return b.is_infinite() ? nan() : infinity(negative);
  if (b.is_zero()) return a.is_zero() ? nan() : infinity(negative);
  if (a.is_zero() || b.is_infinite()) return zero(negative);
  Exact result = a;
  normalise(result);
  const bool lost = result.significand % b.significand != 0;
  result.significand = result.significand / b.significand << 1 | Wide{lost};
  result.exponent -= b.exponent + 1;
  result.negative = negative;
  return result;
}

Exact root(const Exact& number) {
  if (number.is_nan() || number.is_zero()) return number;
  if (number.negative) return nan();
  if (number.is_infinite()) return number;
  Exact result = number;
  normalise(result);
  if (result.exponent % 2 != 0) {
    result.significand <<= 1;
    --result.exponent;
  }
  Wide found = 0;
  for (Wide bit = Wide{1} << 63; bit; bit >>= 1)
    if ((found | bit) * (found | bit) <= result.significand) found |= bit;
  const bool lost = found * found != result.significand;
  result.significand = found << 1 | Wide{lost};
  result.exponent = result.exponent / 2 - 1;
  return result;
}

bool less(const Exact& a, const Exact& b) {
  const Exact difference = a.is_infinite() && b.is_infinite() && a.negative == b.negative
                               ? zero(false)
                               : sum(a, negated(b), Rounding::to_nearest);
  return difference.negative && !difference.is_zero();
}

Exact integral(const Exact& number, Rounding rounding) {
  if (number.kind != Exact::Kind::finite || number.exponent >= 0) return number;
  Exact result = number;
  result.significand =
      rounded_down(number.significand, -number.exponent, number.negative, rounding);
  result.exponent = 0;
  return result;
}

__int128 clamped(const Exact& number, __int128 low, __int128 high) {
  if (number.is_zero()) return std::clamp<__int128>(0, low, high);
  const bool huge = number.is_infinite() || top_bit(number.significand) + number.exponent > 100;
  if (huge) return number.negative ? low : high;
  const auto magnitude = static_cast<__int128>(number.significand << number.exponent);
  return std::clamp(number.negative ? -magnitude : magnitude, low, high);
}

long double value(const Exact& number) {
  if (number.is_nan()) return NAN;
  const long double magnitude =
      number.is_infinite()
          ? INFINITY
          : std::ldexp(static_cast<long double>(number.significand), number.exponent);
  return number.negative ? -magnitude : magnitude;
}

} // namespace course::emulator::differential
