#include "device/emulator/execute/unit_sums.hpp"

#include "device/emulator/state/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace course::emulator {
namespace {

using Doubles [[gnu::vector_size(32)]] = double;
using Words [[gnu::vector_size(32)]] = u64;
using Integers [[gnu::vector_size(16)]] = s32;
constexpr u32 kEach = 4, kMostDepth = 32; // of a vector, and of a sum
constexpr u64 kSign = u64{1} << 63, kMantissa = (u64{1} << 52) - 1, kExponent = ~kSign & ~kMantissa;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// In place of the exponent of zero: a product with it has less than any other product, and still
// more than none where its other factor is infinite.
constexpr double kOfZero = 0x1p-600, kLeastOfAny = 0x1p-400;

double least_exponent(Number number) {
  switch (number) {
  case Number::f16:
  case Number::e5m2:
    return 0x1p-14;
  case Number::e4m3:
    return 0x1p-6;
  default:
    return 0x1p-126;
  }
}

// Vectors go by reference: how they are returned would depend on whether the caller may use AVX.

[[gnu::always_inline]] inline void load(const double* numbers, Doubles& to) {
  std::memcpy(&to, numbers, sizeof to);
}

// 2^exponent of each number; infinity of what is not finite.
[[gnu::always_inline]] inline void power_of(const Doubles& numbers, double least, Doubles& to) {
  const Doubles power = (Doubles)((Words)numbers & kExponent);
  const Doubles normal = power > least ? power : Doubles{} + least;
  to = numbers == 0 ? Doubles{} + kOfZero : normal;
}

// += numbers toward zero, which are less than 2^31.
[[gnu::always_inline]] inline void add_whole(const Doubles& numbers, Doubles& to) {
  to += __builtin_convertvector(__builtin_convertvector(numbers, Integers), Doubles);
}

// The largest exponent of some numbers, and the least place that any of them has a bit at, both as
// powers of two.
struct Span {
  double top = 0, last = kInfinity;
};

[[gnu::always_inline]] inline Span span_of(const double* numbers, u32 rows, u32 columns, u32 pitch,
                                           double least) {
  Doubles top{}, last = Doubles{} + kInfinity;
  for (u32 row = 0; row < rows; ++row)
    for (u32 column = 0; column < columns; column += kEach) {
      Doubles number, power;
      load(numbers + row * pitch + column, number);
      power_of(number, least, power);
      top = power > top ? power : top;
      const Words bits = (Words)number & ~kSign;
      const Doubles without_last = (Doubles)(bits & (bits - 1));
      const Doubles at = (bits & kMantissa) == 0 ? (Doubles)bits : (Doubles)bits - without_last;
      const Doubles place = number == 0 ? Doubles{} + kInfinity : at;
      last = place < last ? place : last;
    }
  Span span;
  for (u32 i = 0; i < kEach; ++i) {
    span.top = std::max(span.top, top[i]);
    span.last = std::min(span.last, last[i]);
  }
  return span;
}

// Toward zero, to `kept` significant bits.
[[gnu::always_inline]] inline double cut_off(double sum, int kept) {
  return std::bit_cast<double>(std::bit_cast<u64>(sum) & ~u64{0} << (53 - kept));
}

// One sum by itself: what is not finite, or zero, needs no aligning.
[[gnu::always_inline]] inline double plain_sum(const MatrixSums<double>& sums, u32 row,
                                               u32 column) {
  double sum = sums.c[row * sums.c_pitch + column];
  for (u32 k = 0; k < sums.depth; ++k)
    sum += sums.a[row * sums.a_pitch + k] * sums.b[k * sums.b_pitch + column];
  return sum;
}

[[gnu::always_inline]] inline void add_aligned(const UnitFormat& format,
                                               const MatrixSums<double>& sums) {
  const double fraction = std::ldexp(1.0, format.fraction);
  for (u32 column = 0; column < sums.columns; column += kEach) {
    Doubles b[kMostDepth], power_of_b[kMostDepth];
    for (u32 k = 0; k < sums.depth; ++k) {
      load(sums.b + k * sums.b_pitch + column, b[k]);
      power_of(b[k], format.least_b, power_of_b[k]);
    }
    for (u32 row = 0; row < sums.rows; ++row) {
      const double* a = sums.a + row * sums.a_pitch;
      double* to = sums.c + row * sums.c_pitch + column;
      Doubles c, largest;
      load(to, c);
      power_of(c, format.least_c, largest);
      for (u32 k = 0; k < sums.depth; k += kEach) {
        Doubles of_a, power_of_a;
        load(a + k, of_a);
        power_of(of_a, format.least_a, power_of_a);
        for (u32 i = 0; i < kEach; ++i) {
          const Doubles power = power_of_b[k + i] * power_of_a[i];
          largest = power > largest ? power : largest;
        }
      }
      const auto aligned = largest > kLeastOfAny && largest < kInfinity;
      const Doubles unit = (aligned ? largest : Doubles{} + 1) / fraction, per_unit = 1 / unit;
      Doubles sum{};
      add_whole(c * per_unit, sum);
      for (u32 k = 0; k < sums.depth; ++k) add_whole(b[k] * a[k] * per_unit, sum);
      sum *= unit;
      for (u32 i = 0; i < kEach; ++i)
        to[i] = cut_off(aligned[i] ? sum[i] : plain_sum(sums, row, column + i), format.kept);
    }
  }
}

[[gnu::always_inline]] inline void add(const UnitFormat& format, const MatrixSums<double>& sums) {
  const Span a = span_of(sums.a, sums.rows, sums.depth, sums.a_pitch, format.least_a),
             b = span_of(sums.b, sums.depth, sums.columns, sums.b_pitch, format.least_b),
             c = span_of(sums.c, sums.rows, sums.columns, sums.c_pitch, format.least_c);
  const double top = std::max(a.top * b.top, c.top), last = std::min(a.last * b.last, c.last);
  // Where nothing is cut off before the sum is made, the order of additions does not matter: all of
  // them are exact.
  if (!(top < kInfinity) || last < std::ldexp(top, -format.fraction))
    return add_aligned(format, sums);
  sums.add();
  for (u32 row = 0; row < sums.rows; ++row)
    for (u32 column = 0; column < sums.columns; ++column) {
      double& sum = sums.c[row * sums.c_pitch + column];
      sum = cut_off(sum, format.kept);
    }
}

void add_any(const UnitFormat& format, const MatrixSums<double>& sums) {
  add(format, sums);
}
[[COURSE_AVX2]] void add_avx2(const UnitFormat& format, const MatrixSums<double>& sums) {
  add(format, sums);
}

} // namespace

UnitFormat unit_format(Number a, Number b, Number d) {
  UnitFormat format;
  format.least_a = least_exponent(a);
  format.least_b = least_exponent(b);
  format.least_c = least_exponent(d);
  if (d == Number::f16) format.kept = 53;
  return format;
}

UnitFormat warpgroup_format(Number a, Number b, Number d) {
  UnitFormat format = unit_format(a, b, d);
  if (bits_of(a) != 8) return format;
  format.fraction = 13;
  if (d == Number::f32) format.kept = 14;
  return format;
}

void add_in_unit(const UnitFormat& format, const MatrixSums<double>& sums) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  (has_avx2 ? add_avx2 : add_any)(format, sums);
}

void add_bytes_in_unit(Number d, const MatrixSums<double>& sums) {
  constexpr u32 kPair = 2, kHalf = kMostDepth / kPair, kMostAcross = 32;
  alignas(64) double a[kMostAcross][kHalf], b[kHalf][kMostAcross], c[kMostAcross][kMostAcross] = {};
  const u32 depth = sums.depth / kPair;
  const MatrixSums<double> halves{a[0],        b[0],      c[0],         kHalf, kMostAcross,
                                  kMostAcross, sums.rows, sums.columns, depth};
  const auto for_sums = [&](auto f) {
    for (u32 row = 0; row < sums.rows; ++row)
      for (u32 column = 0; column < sums.columns; ++column)
        f(c[row][column], sums.c[row * sums.c_pitch + column]);
  };
  const UnitFormat format = unit_format(Number::f16, Number::f16, d);
  const auto rounded = [d](double sum) {
    return d == Number::f16 ? of_half(half_of(sum))
                            : double{std::bit_cast<float>(float_of_sum(sum))};
  };
  for (u32 part = 0; part < kPair; ++part) {
    for (u32 k = 0; k < depth; ++k) {
      const u32 from = k / kPair * 2 * kPair + part * kPair + k % kPair;
      for (u32 row = 0; row < sums.rows; ++row) a[row][k] = sums.a[row * sums.a_pitch + from];
      std::copy_n(sums.b + from * sums.b_pitch, sums.columns, b[k]);
    }
    add_in_unit(format, halves);
    for_sums([&](double& half, double) { half = rounded(half); });
  }
  for_sums([&](double half, double& to) {
    to = d == Number::f16 ? to + half : double{static_cast<float>(to) + static_cast<float>(half)};
  });
}

} // namespace course::emulator
