// Approximations, within the errors that the PTX ISA gives for them.
#include "device/emulator/differential/reference.hpp"

#include <algorithm>
#include <cmath>

namespace course::emulator::differential {
namespace {

using Real = long double;

struct Bound { // of the error
  Real relative = 0, absolute = 0;
};
Real power(Real exponent) {
  return std::exp2(exponent);
}

Part exactly(const Exact& number, const Format& format) {
  Part part;
  if (number.is_nan())
    part.compare = Part::Compare::nan;
  else
    part.value = rounded(number, format, Rounding::to_nearest);
  return part;
}
Part special(Real number, const Format& format) { // 0, 1, infinities, NaN
  Part part;
  if (std::isnan(number))
    part.compare = Part::Compare::nan;
  else if (std::isinf(number))
    part.value = format.infinity() | (number < 0 ? format.sign() : 0);
  else
    part.value = rounded(exact(static_cast<__int128>(number)), format, Rounding::to_nearest) |
                 (std::signbit(number) ? format.sign() : 0);
  return part;
}

// A result with an error; the result itself is rounded to its format, and flushed with .ftz.
Part near(Real number, const Format& format, const Bound& bound, bool ftz) {
  const Real least_normal = power(Real(1 - format.greatest));
  const Real unit = least_normal * power(Real(1 - format.precision)); // of subnormal numbers
  const Real greatest = power(Real(format.greatest)) * (2 - power(Real(1 - format.precision)));
  const Real error = std::fabs(number) * bound.relative + bound.absolute + unit;
  if (std::isinf(number)) return special(number, format);
  Part part;
  part.compare = Part::Compare::within;
  part.low = number - error;
  part.high = number + error;
  if (ftz && std::fabs(number) - error < least_normal) {
    part.low = std::min(part.low, Real{0});
    part.high = std::max(part.high, Real{0});
  }
  if (part.high > greatest) part.high = INFINITY;
  if (part.low < -greatest) part.low = -INFINITY;
  return part;
}

Bound bound_of(const Name& name, const Format& format, Real argument, Real result) {
  const std::string& op = name.opcode();
  const Real ulp = power(Real(1 - format.precision));
  if (op == "div") return {2 * ulp, 0};
  if (format.bits == 16) {
    const bool half = format.precision == 11;
    return op == "ex2" ? Bound{half ? power(-9.9L) : power(-7), 0}
                       : Bound{0, half ? power(-10.987L) : power(-8)};
  }
  // The double-precision ones with .ftz look at the upper 32 bits only: 20 of the fraction.
  if (format.bits == 64) return {name.has("ftz") ? power(-19) : power(-22), 0};
  if (op == "rcp") return {ulp, 0};
  if (op == "sqrt") return {power(-23), 0};
  if (op == "rsqrt") return {power(-22.9L), 0};
  if (op == "ex2") return {power(-22), 0};
  if (op == "tanh") return {power(-11), 0};
  if (op == "lg2")
    return argument > 0.5L && argument < 2 ? Bound{0, power(-22)} : Bound{power(-22), 0};
  const Real turns = std::fabs(argument) / 3.14159265358979323846L; // sin, cos
  if (turns <= 2) return {0, power(-20.5L)};
  if (turns <= 100) return {0, power(-14.7L)};
  return {0, 1 + std::fabs(result)};
}

Real function_of(const std::string& op, Real x) {
  if (op == "rcp") return 1 / x;
  if (op == "sqrt") return x == 0 ? x : std::sqrt(x);
  if (op == "rsqrt") return x == 0 ? std::copysign(Real{INFINITY}, x) : 1 / std::sqrt(x);
  if (op == "ex2") return std::exp2(x);
  if (op == "tanh") return std::tanh(x);
  if (op == "lg2") return std::log2(x);
  return op == "sin" ? std::sin(x) : std::cos(x);
}

Part of_one(const Name& name, const Format& format, Bits bits) {
  bits = masked(bits, format.bits);
  if (name.has("ftz")) bits = flushed(bits, format);
  const Real x = value(exact(bits, format));
  const Real result = function_of(name.opcode(), x);
  const bool defined = x == 0 || std::isinf(x) || std::isnan(x) || std::isnan(result);
  if (defined) return special(result, format);
  return near(result, format, bound_of(name, format, x, result), name.has("ftz"));
}

Expected function(const Name& name, const Sources& in) {
  Expected expected;
  expected.format = &format_of(name.type());
  expected.part = of_one(name, *expected.format, in.of[0]);
  if (name.type().ends_with("x2")) expected.upper = of_one(name, *expected.format, in.of[0] >> 16);
  return expected;
}

// div.approx multiplies by a reciprocal, which is 0 from 2^126 on and unbounded for subnormals.
Expected divide(const Name& name, const Sources& in) {
  Expected expected;
  expected.format = &kF32;
  const auto source = [&](Bits bits) {
    return exact(name.has("ftz") ? flushed(bits, kF32) : bits, kF32);
  };
  const Exact a = source(in.of[0]), b = source(in.of[1]), result = quotient(a, b);
  const Real divisor = std::fabs(value(b));
  if (a.is_nan() || b.is_nan() || a.is_zero() || a.is_infinite() || b.is_zero() ||
      b.is_infinite()) {
    expected.part = exactly(result, kF32);
    const bool large = divisor > power(126) && !b.is_infinite() && a.is_infinite();
    if (large && name.has("approx")) expected.part.compare = Part::Compare::nothing;
    return expected;
  }
  if (name.has("approx") && (divisor < power(-126) || divisor > power(126))) {
    expected.part.compare = Part::Compare::nothing;
    return expected;
  }
  expected.part = near(value(result), kF32, bound_of(name, kF32, 0, 0), name.has("ftz"));
  return expected;
}

} // namespace

Reference approximate_reference(const Name& name) {
  if (name.opcode() == "div" && (name.has("approx") || name.has("full"))) return divide;
  if (!name.has("approx")) return nullptr;
  for (const auto known : {"rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh"})
    if (name.opcode() == known) return function;
  return nullptr;
}

} // namespace course::emulator::differential
