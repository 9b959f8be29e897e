// Half precision (f16, bf16) as numbers: to and from double, with PTX's rounding; and e4m3.
#pragma once

#include "device/emulator/execute/floats.hpp"

namespace course::emulator {

enum class Rounding { nearest, zero, down, up };

// A binary format of 16 bits. Every number of it is a double. Out of line: there are hundreds of
// operations on halves, and none of them becomes faster by having a copy of this.
template <int kExponentBits>
struct Half {
  static constexpr int kMantissaBits = 15 - kExponentBits;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr u16 kNan = 0x7fff;
  static constexpr u16 kInfinity = static_cast<u16>(((1 << kExponentBits) - 1) << kMantissaBits);
  static constexpr u16 kLargest = kInfinity - 1;
  static constexpr u16 kOne = static_cast<u16>(kBias << kMantissaBits);

  [[gnu::noinline]] static double value(u16 bits) {
    const int exponent = bits >> kMantissaBits & ((1 << kExponentBits) - 1);
    const int mantissa = bits & ((1 << kMantissaBits) - 1);
    double magnitude = 0;
    if (exponent == (1 << kExponentBits) - 1) {
      magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN()
                           : std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
      magnitude = std::ldexp(mantissa, 1 - kBias - kMantissaBits);
    } else {
      magnitude = std::ldexp(mantissa | 1 << kMantissaBits, exponent - kBias - kMantissaBits);
    }
    return bits & 0x8000 ? -magnitude : magnitude;
  }

  [[gnu::noinline]] static u16 rounded(double number, Rounding rounding = Rounding::nearest) {
    if (number != number) return kNan;
    const u16 sign = std::signbit(number) ? 0x8000 : 0;
    const double magnitude = std::fabs(number);
    if (magnitude == 0) return sign;
    const bool away = (rounding == Rounding::up && !sign) || (rounding == Rounding::down && sign);
    if (magnitude == std::numeric_limits<double>::infinity()) return sign | kInfinity;

    // In units of the last place of the result: an integer part and what is cut off.
    int exponent = std::ilogb(magnitude);
    if (exponent < 1 - kBias) exponent = 1 - kBias;
    if (exponent > kBias) exponent = kBias + 1;
    const double units = std::ldexp(magnitude, kMantissaBits - exponent);
    double whole = std::floor(units);
    const double rest = units - whole;
    const bool odd = std::fmod(whole, 2) != 0;
    const bool up =
        rounding == Rounding::nearest ? rest > 0.5 || (rest == 0.5 && odd) : away && rest > 0;
    if (up) whole += 1;
    const double result = std::ldexp(whole, exponent - kMantissaBits);
    const double largest = value(kLargest);
    if (result > largest) {
      return static_cast<u16>(sign |
                              (rounding == Rounding::nearest || away ? kInfinity : kLargest));
    }
    // `whole` holds the implicit bit of a normal number, which carries into the exponent by adding.
    const int field = std::ilogb(result == 0 ? 1 : result) < 1 - kBias || result == 0
                          ? 0
                          : std::ilogb(result) + kBias;
    const double mantissa =
        field == 0 ? std::ldexp(result, kMantissaBits + kBias - 1)
                   : std::ldexp(result, kMantissaBits - (field - kBias)) - (1 << kMantissaBits);
    return static_cast<u16>(sign | field << kMantissaBits | static_cast<int>(mantissa));
  }
};
using F16 = Half<5>;
using Bf16 = Half<8>;

// Of 8 bits, which have no infinity. (The other format of 8 bits, e5m2, is an f16's upper half.)
inline double of_e4m3(u32 bits) {
  const int exponent = static_cast<int>(bits >> 3 & 15), mantissa = static_cast<int>(bits & 7);
  if (exponent == 15 && mantissa == 7) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(mantissa | 8, exponent - 10);
  return bits & 0x80 ? -magnitude : magnitude;
}

// a * b + c as a double that rounds to either format as the exact value would: the product is
// exact, and an inexact sum is made odd in its last bit, so that no tie is feigned.
inline double exact_enough_fma(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  if (!(std::fabs(sum) <= std::numeric_limits<double>::max())) return sum;
  const double c_part = sum - product;
  const double error = (product - (sum - c_part)) + (c - c_part);
  if (error == 0 || (std::bit_cast<u64>(sum) & 1)) return sum;
  const bool outward = (error > 0) == (sum > 0);
  const u64 bits = std::bit_cast<u64>(sum);
  return std::bit_cast<double>(outward ? bits + 1 : bits - 1);
}

} // namespace course::emulator
