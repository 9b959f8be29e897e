// Conversions between numbers of 8 bits (e4m3, e5m2), always two of them, and f32 or f16 (cvt).
//
// What is too large becomes the largest number, and NaN 0x7f, of either format.
#include "device/emulator/execute/small_float_ops.hpp"
#include "device/emulator/execute/forms.hpp"
#include "device/emulator/execute/halves.hpp"

#include <string>

namespace course::emulator {
namespace {

constexpr u16 kSmallNan = 0x7f;

template <int kExponentBits>
struct Small {
  static constexpr int kMantissaBits = 7 - kExponentBits;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  // e5m2 keeps an exponent for infinity and NaN, e4m3 one number alone.
  static constexpr u16 kLargest = kExponentBits == 5 ? 0x7b : 0x7e;
  static double largest() { return kExponentBits == 5 ? 57344 : 448; }
  static double value(u16 bits) {
    return kExponentBits == 5 ? F16::value(static_cast<u16>(bits << 8)) : of_e4m3(bits);
  }

  [[gnu::noinline]] static u16 rounded(double number, bool relu) {
    if (number != number) return kSmallNan;
    if (relu && number <= 0) return 0;
    const u16 sign = std::signbit(number) ? 0x80 : 0;
    const double magnitude = std::fabs(number);
    if (magnitude >= largest()) return sign | kLargest;
    if (magnitude == 0) return sign;
    // In units of the last place; a mantissa that is full carries into the exponent by adding.
    const int exponent = std::max(std::ilogb(magnitude), 1 - kBias);
    const double units = std::ldexp(magnitude, kMantissaBits - exponent);
    const double below = std::floor(units), rest = units - below;
    const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) != 0);
    const int whole = static_cast<int>(below) + (up ? 1 : 0);
    const int field = exponent - (1 - kBias); // of a number without the implicit bit
    return static_cast<u16>(sign | ((field << kMantissaBits) + whole));
  }
};
using E4m3 = Small<4>;
using E5m2 = Small<5>;

template <typename To, bool kRelu>
struct FromFloats { // the first is the upper half
  static u16 apply(float a, float b) {
    return static_cast<u16>(To::rounded(a, kRelu) << 8 | To::rounded(b, kRelu));
  }
};
template <typename To, bool kRelu>
struct FromHalves {
  static u16 apply(u32 a) {
    const double high = F16::value(static_cast<u16>(a >> 16)),
                 low = F16::value(static_cast<u16>(a));
    return static_cast<u16>(To::rounded(high, kRelu) << 8 | To::rounded(low, kRelu));
  }
};
template <typename From, bool kRelu>
struct ToHalves { // exact
  static u32 half(u32 bits) {
    const double number = From::value(static_cast<u16>(bits & 0xff));
    return F16::rounded(kRelu && number <= 0 ? 0 : number);
  }
  static u32 apply(u16 a) { return half(a >> 8) << 16 | half(a); }
};

template <typename T, bool kRelu>
[[gnu::cold]] void add_small(FormTable& forms, const std::string& type) {
  const char* const relu = kRelu ? ".relu" : "";
  forms.add_rare<FromFloats<T, kRelu>, u16, float, float>(
      {"cvt.rn.satfinite", relu, ".", type, ".f32"});
  forms.add_rare<FromHalves<T, kRelu>, u16, u32>({"cvt.rn.satfinite", relu, ".", type, ".f16x2"});
  forms.add_rare<ToHalves<T, kRelu>, u32, u16>({"cvt.rn", relu, ".f16x2.", type});
}

} // namespace

[[gnu::cold]] void add_small_float_forms(FormTable& forms) {
  add_small<E4m3, false>(forms, "e4m3x2");
  add_small<E4m3, true>(forms, "e4m3x2");
  add_small<E5m2, false>(forms, "e5m2x2");
  add_small<E5m2, true>(forms, "e5m2x2");
}

} // namespace course::emulator
