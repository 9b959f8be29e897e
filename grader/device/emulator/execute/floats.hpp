// Floating point as PTX defines it where C++ leaves it open: NaN, flushing, saturation.
#pragma once

#include "device/emulator/state/lanes.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace course::emulator {

// A 32-bit result that is a NaN is always this one; 64-bit results keep a source's payload.
[[gnu::always_inline]] inline float canonical(float value) {
  return value == value ? value : std::bit_cast<float>(0x7fffffffu);
}
[[gnu::always_inline]] inline double canonical(double value) {
  return value;
}

// .ftz: subnormal numbers become zero of their sign.
[[gnu::always_inline]] inline float flushed(float value) {
  const float magnitude = std::bit_cast<float>(std::bit_cast<u32>(value) & 0x7fffffffu);
  const bool tiny = magnitude < std::numeric_limits<float>::min();
  return tiny ? std::bit_cast<float>(std::bit_cast<u32>(value) & 0x80000000u) : value;
}

// .sat: to [0, 1], NaN to 0.
template <typename T>
[[gnu::always_inline]] inline T clamped(T value) {
  const T low = value > T{0} ? value : T{0}; // false for NaN
  return low < T{1} ? low : T{1};
}

// min and max: the other operand when one is a NaN, and -0 below +0.
template <typename T>
[[gnu::always_inline]] inline T minimum(T a, T b) {
  const T least = a < b || (a == b && std::signbit(a)) ? a : b;
  const T number = a != a ? b : b != b ? a : least;
  return canonical(number);
}
template <typename T>
[[gnu::always_inline]] inline T maximum(T a, T b) {
  const T most = a > b || (a == b && !std::signbit(a)) ? a : b;
  const T number = a != a ? b : b != b ? a : most;
  return canonical(number);
}

// F with subnormal sources and results flushed, and then saturated.
template <typename F, bool kFlush, bool kSaturate>
struct Adjusted {
  template <typename... T>
  static auto apply(T... sources) {
    if constexpr (kFlush && kSaturate)
      return clamped(flushed(F::apply(flushed(sources)...)));
    else if constexpr (kFlush)
      return flushed(F::apply(flushed(sources)...));
    else if constexpr (kSaturate)
      return clamped(F::apply(sources...));
    else
      return F::apply(sources...);
  }
};

struct FloatAdd {
  template <typename T>
  static T apply(T a, T b) {
    return canonical(a + b);
  }
};
struct FloatSubtract {
  template <typename T>
  static T apply(T a, T b) {
    return canonical(a - b);
  }
};
struct FloatMultiply {
  template <typename T>
  static T apply(T a, T b) {
    return canonical(a * b);
  }
};
struct FloatFma {
  static float apply(float a, float b, float c) { return canonical(__builtin_fmaf(a, b, c)); }
  static double apply(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct FloatDivide {
  template <typename T>
  static T apply(T a, T b) {
    return canonical(a / b);
  }
};
struct Reciprocal {
  template <typename T>
  static T apply(T a) {
    return canonical(T{1} / a);
  }
};
struct SquareRoot {
  static float apply(float a) { return canonical(__builtin_sqrtf(a)); }
  static double apply(double a) { return __builtin_sqrt(a); }
};

} // namespace course::emulator
