// Exact: binary numbers computed without rounding, and rounded once at the end.
//
// The references of floating-point instructions are computed with these instead of the host's
// floats, so that they depend on no processor, compiler or rounding mode.
#pragma once

#include <cstdint>

namespace course::emulator::differential {

using Bits = std::uint64_t;

struct Format {
  int bits;      // in all
  int precision; // of the significand, with the bit that is not stored
  int greatest;  // exponent of the largest numbers

  Bits infinity() const { return Bits(2 * greatest + 1) << (precision - 1); }
  Bits sign() const { return Bits{1} << (bits - 1); }
};
inline constexpr Format kF16{16, 11, 15}, kBf16{16, 8, 127}, kF32{32, 24, 127}, kF64{64, 53, 1023};

enum class Rounding {
  to_nearest,
  to_zero,
  down,
  up,
  ties_away,
};

// significand * 2^exponent. The lowest bit of a sum, quotient or root may stand for lost bits below
// it; there are always more than 60 bits, so that a later rounding to 53 is right.
struct Exact {
  enum class Kind { finite, infinite, nan } kind = Kind::finite;
  bool negative = false;
  unsigned __int128 significand = 0; // 0: zero of the sign
  int exponent = 0;

  bool is_nan() const { return kind == Kind::nan; }
  bool is_zero() const { return kind == Kind::finite && significand == 0; }
  bool is_infinite() const { return kind == Kind::infinite; }
};

Exact exact(Bits, const Format&);
Exact exact(__int128);
Bits rounded(const Exact&, const Format&, Rounding); // a NaN as infinity() + 1

Exact negated(Exact);
// A sum of exactly zero has the sign that `rounding` gives it.
Exact sum(const Exact&, const Exact&, Rounding);
Exact product(const Exact&, const Exact&);  // of numbers of at most 53 bits
Exact quotient(const Exact&, const Exact&); // likewise
Exact root(const Exact&);                   // likewise

bool less(const Exact&, const Exact&); // of numbers that are no NaN; zeros are equal
Exact integral(const Exact&, Rounding);
// The nearest integer in [low, high], of a number that is no NaN and integral.
__int128 clamped(const Exact&, __int128 low, __int128 high);
long double value(const Exact&); // for approximations: rounded to 64 bits

} // namespace course::emulator::differential
