// Conversions between all number types (cvt), with rounding and saturation, and the extensions and
// truncations that loads and stores of narrow types need.
//
// Long, because every pair of types has its line.
// A conversion from floating point to an integer clamps to its range. NaN becomes 0, or only the
// highest bit when either side has 64 bits (PTX ISA, cvt).
#include "device/emulator/execute/forms.hpp"
#include "device/emulator/execute/halves.hpp"
#include "device/emulator/execute/rounding.hpp"

namespace course::emulator {
namespace {

// How a type is held in a register: 8-bit integers in 16 bits, half precision as its bits.
template <typename T>
struct Held {
  using type = T;
  static constexpr bool kFloat = std::is_floating_point_v<T>;
  static T value(T a) { return a; }
};
template <>
struct Held<u8> {
  using type = u16;
  static constexpr bool kFloat = false;
  static u8 value(u16 a) { return static_cast<u8>(a); }
};
template <>
struct Held<s8> {
  using type = s16;
  static constexpr bool kFloat = false;
  static s8 value(s16 a) { return static_cast<s8>(a); }
};
template <>
struct Held<F16> {
  using type = u16;
  static constexpr bool kFloat = true;
  static double value(u16 a) { return F16::value(a); }
};
template <>
struct Held<Bf16> {
  using type = u16;
  static constexpr bool kFloat = true;
  static double value(u16 a) { return Bf16::value(a); }
};
template <typename T>
inline constexpr bool kIsHalf = std::is_same_v<T, F16> || std::is_same_v<T, Bf16>;

template <typename To, typename From>
struct Integer {
  static typename Held<To>::type apply(typename Held<From>::type a) {
    return static_cast<To>(Held<From>::value(a));
  }
};
// Conversions that give the same bits are one: a narrower result has no sign to mind, and the sign
// of a wider one is that of what it is made from. (A result of 8 bits is kept in 16, with its
// sign.)
template <typename To, typename From>
using SameBits =
    Integer<std::conditional_t<sizeof(To) == 1, To, std::make_unsigned_t<To>>,
            std::conditional_t<(sizeof(To) > sizeof(From)), From, std::make_unsigned_t<From>>>;
template <typename To, typename From>
struct SaturatedInteger {
  static typename Held<To>::type apply(typename Held<From>::type a) {
    const __int128 value = Held<From>::value(a);
    const __int128 low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    return static_cast<To>(value < low ? low : value > high ? high : value);
  }
};

template <Rounding kRounding, typename T>
T to_whole(T a) {
  switch (kRounding) {
  case Rounding::nearest:
    return std::nearbyint(a);
  case Rounding::zero:
    return std::trunc(a);
  case Rounding::down:
    return std::floor(a);
  case Rounding::up:
    return std::ceil(a);
  }
  return a;
}

template <typename T>
auto flushed_source(T a) {
  if constexpr (std::is_same_v<T, float>)
    return flushed(a);
  else
    return a;
}

template <typename To, typename From, Rounding kRounding>
struct FloatToInteger {
  static typename Held<To>::type apply(typename Held<From>::type a) {
    const auto number = Held<From>::value(a);
    using Number = std::remove_const_t<decltype(number)>;
    constexpr bool kWide = sizeof(To) == 8 || std::is_same_v<From, double>;
    if (number != number) return kWide ? static_cast<To>(u64{1} << (sizeof(To) * 8 - 1)) : To{0};
    const Number whole = to_whole<kRounding>(number);
    // The limits as powers of two, which every format can express.
    const Number beyond = std::ldexp(Number{1}, std::numeric_limits<To>::digits);
    if (whole >= beyond) return std::numeric_limits<To>::max();
    if (std::is_signed_v<To> ? whole < -beyond : whole < 0) return std::numeric_limits<To>::min();
    return static_cast<To>(whole);
  }
};
template <typename To, typename From, Rounding kRounding>
struct FlushedFloatToInteger {
  static typename Held<To>::type apply(float a) {
    return FloatToInteger<To, From, kRounding>::apply(flushed(a));
  }
};
// The one that nearly every program uses, in a shape that vectorises.
template <typename To>
struct TruncateFloat {
  static To apply(float a) {
    const double limit = static_cast<double>(std::numeric_limits<To>::max());
    const double floor = static_cast<double>(std::numeric_limits<To>::min());
    double number = a == a ? double{a} : 0.0;
    number = number > limit ? limit : number;
    number = number < floor ? floor : number;
    return static_cast<To>(number);
  }
};

template <typename To, typename From>
struct ToFloat { // rounded as the processor is set to
  static To apply(typename Held<From>::type a) {
    return canonical(static_cast<To>(Held<From>::value(a)));
  }
};
template <typename To, typename From>
struct ToFloatSaturated {
  static To apply(typename Held<From>::type a) { return clamped(ToFloat<To, From>::apply(a)); }
};
struct FlushedDoubleToFloat {
  static float apply(double a) { return flushed(canonical(static_cast<float>(a))); }
};
struct FlushedFloatToDouble {
  static double apply(float a) { return static_cast<double>(flushed(a)); }
};
template <typename T, Rounding kRounding>
struct Whole {
  static T apply(T a) { return canonical(to_whole<kRounding>(a)); }
};
template <typename T>
struct Same {
  static T apply(T a) { return canonical(a); }
};

// An integer as a double that rounds to fewer bits as the integer would: of more than 53 bits the
// lowest are one that says whether any was set.
template <typename T>
double exact_enough(T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const bool negative = value < 0;
    u64 magnitude = negative ? u64{0} - static_cast<u64>(value) : static_cast<u64>(value);
    if (magnitude >> 53) magnitude = (magnitude & ~u64{0x7ff}) | (magnitude & 0x7ff ? 0x800 : 0);
    return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
  } else {
    return static_cast<double>(value);
  }
}

template <typename To, typename From, Rounding kRounding, bool kRelu, bool kSaturate>
struct ToHalf {
  static u16 apply(typename Held<From>::type a) {
    double number = exact_enough(Held<From>::value(a));
    if (kSaturate) number = clamped(number);
    if (kRelu && number <= 0) number = 0;
    return To::rounded(number, kRounding);
  }
};
// Two numbers to a packed pair: the first is the upper half.
template <typename To, Rounding kRounding, bool kRelu>
struct ToPair {
  static u32 apply(float a, float b) {
    using H = ToHalf<To, float, kRounding, kRelu, false>;
    return u32{H::apply(a)} << 16 | H::apply(b);
  }
};
struct ToTf32 { // 10 bits of mantissa, ties away from zero
  static u32 apply(float a) {
    const u32 bits = std::bit_cast<u32>(a);
    if (a != a) return 0x7fffffff;
    return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0x1000) & 0xffffe000;
  }
};
template <typename To>
struct Pack { // cvt.pack: a above b, both saturated to 16 bits
  static u32 apply(s32 a, s32 b) {
    const u16 high = static_cast<u16>(SaturatedInteger<To, s32>::apply(a));
    const u16 low = static_cast<u16>(SaturatedInteger<To, s32>::apply(b));
    return u32{high} << 16 | low;
  }
};

template <typename F, typename R, typename A>
[[gnu::cold]] void add_four_modes(FormTable& forms, std::string_view name) {
  using Loop = Lanes<F, R(A)>;
  constexpr char operands[] = {FormTable::letter<R>(), FormTable::letter<A>(), 0};
  forms.add<F, R, A>({"cvt.rn", name});
  forms.insert({"cvt.rz", name},
               {with_rounding<Loop::any, FE_TOWARDZERO>, with_rounding<Loop::any, FE_TOWARDZERO>},
               operands);
  forms.insert({"cvt.rm", name},
               {with_rounding<Loop::any, FE_DOWNWARD>, with_rounding<Loop::any, FE_DOWNWARD>},
               operands);
  forms.insert({"cvt.rp", name},
               {with_rounding<Loop::any, FE_UPWARD>, with_rounding<Loop::any, FE_UPWARD>},
               operands);
}

template <typename T>
const char* name_of() {
  if constexpr (std::is_same_v<T, u8>)
    return "u8";
  else if constexpr (std::is_same_v<T, s8>)
    return "s8";
  else if constexpr (std::is_same_v<T, u16>)
    return "u16";
  else if constexpr (std::is_same_v<T, s16>)
    return "s16";
  else if constexpr (std::is_same_v<T, u32>)
    return "u32";
  else if constexpr (std::is_same_v<T, s32>)
    return "s32";
  else if constexpr (std::is_same_v<T, u64>)
    return "u64";
  else if constexpr (std::is_same_v<T, s64>)
    return "s64";
  else if constexpr (std::is_same_v<T, F16>)
    return "f16";
  else if constexpr (std::is_same_v<T, Bf16>)
    return "bf16";
  else if constexpr (std::is_same_v<T, float>)
    return "f32";
  else
    return "f64";
}
template <typename To, typename From>
std::string between() {
  return std::string(".") + name_of<To>() + "." + name_of<From>();
}
template <typename T>
using HeldAs = typename Held<T>::type;

template <typename To, typename From>
[[gnu::cold]] void add_integer(FormTable& forms) {
  forms.add<SameBits<To, From>, HeldAs<std::make_unsigned_t<To>>,
            HeldAs<std::make_unsigned_t<From>>>({"cvt", between<To, From>()});
  forms.add_rare<SaturatedInteger<To, From>, HeldAs<To>, HeldAs<From>>(
      {"cvt.sat", between<To, From>()});
}

template <typename To, typename From, Rounding kRounding>
[[gnu::cold]] void add_to_integer(FormTable& forms, const char* rounding) {
  const std::string types = between<To, From>();
  using F = FloatToInteger<To, From, kRounding>;
  for (const char* saturate : {"", ".sat"}) {
    forms.add_rare<F, HeldAs<To>, HeldAs<From>>({"cvt", rounding, saturate, types});
    if constexpr (std::is_same_v<From, float>)
      forms.add_rare<FlushedFloatToInteger<To, From, kRounding>, HeldAs<To>, float>(
          {"cvt", rounding, ".ftz", saturate, types});
  }
}
template <typename To, typename From>
[[gnu::cold]] void add_float_to_integer(FormTable& forms) {
  add_to_integer<To, From, Rounding::nearest>(forms, ".rni");
  add_to_integer<To, From, Rounding::zero>(forms, ".rzi");
  add_to_integer<To, From, Rounding::down>(forms, ".rmi");
  add_to_integer<To, From, Rounding::up>(forms, ".rpi");
}

template <typename To, typename From, Rounding kRounding>
[[gnu::cold]] void add_to_half(FormTable& forms, const char* rounding) {
  const std::string types = between<To, From>();
  using R = u16;
  forms.add_rare<ToHalf<To, From, kRounding, false, false>, R, HeldAs<From>>(
      {"cvt", rounding, types});
  forms.add_rare<ToHalf<To, From, kRounding, false, true>, R, HeldAs<From>>(
      {"cvt", rounding, ".sat", types});
  if constexpr (std::is_same_v<From, float>)
    forms.add_rare<ToHalf<To, From, kRounding, true, false>, R, float>(
        {"cvt", rounding, ".relu", types});
}
template <typename To, typename From>
[[gnu::cold]] void add_all_to_half(FormTable& forms) {
  add_to_half<To, From, Rounding::nearest>(forms, ".rn");
  add_to_half<To, From, Rounding::zero>(forms, ".rz");
  add_to_half<To, From, Rounding::down>(forms, ".rm");
  add_to_half<To, From, Rounding::up>(forms, ".rp");
}
template <typename To>
[[gnu::cold]] void add_to_pair(FormTable& forms, const char* type) {
  forms.add_rare<ToPair<To, Rounding::nearest, false>, u32, float, float>(
      {"cvt.rn.", type, ".f32"});
  forms.add_rare<ToPair<To, Rounding::zero, false>, u32, float, float>({"cvt.rz.", type, ".f32"});
  forms.add_rare<ToPair<To, Rounding::nearest, true>, u32, float, float>(
      {"cvt.rn.relu.", type, ".f32"});
  forms.add_rare<ToPair<To, Rounding::zero, true>, u32, float, float>(
      {"cvt.rz.relu.", type, ".f32"});
}

template <typename T, Rounding kRounding>
[[gnu::cold]] void add_whole(FormTable& forms, const char* rounding) {
  const std::string types = between<T, T>();
  forms.add_rare<Whole<T, kRounding>, T, T>({"cvt", rounding, types});
  forms.add_rare<Adjusted<Whole<T, kRounding>, false, true>, T, T>(
      {"cvt", rounding, ".sat", types});
  if constexpr (std::is_same_v<T, float>) {
    forms.add_rare<Adjusted<Whole<T, kRounding>, true, false>, T, T>(
        {"cvt", rounding, ".ftz", types});
  }
}
template <typename T>
[[gnu::cold]] void add_same(FormTable& forms) {
  add_whole<T, Rounding::nearest>(forms, ".rni");
  add_whole<T, Rounding::zero>(forms, ".rzi");
  add_whole<T, Rounding::down>(forms, ".rmi");
  add_whole<T, Rounding::up>(forms, ".rpi");
  forms.add_rare<Same<T>, T, T>({"cvt", between<T, T>()});
  forms.add_rare<Adjusted<Same<T>, false, true>, T, T>({"cvt.sat", between<T, T>()});
  if constexpr (std::is_same_v<T, float>) {
    forms.add_rare<Adjusted<Same<T>, true, false>, T, T>({"cvt.ftz", between<T, T>()});
    forms.add_rare<Adjusted<Same<T>, true, true>, T, T>({"cvt.ftz.sat", between<T, T>()});
  }
}

template <typename From>
[[gnu::cold]] void add_from_integer(FormTable& forms) {
  add_integer<u8, From>(forms);
  add_integer<s8, From>(forms);
  add_integer<u16, From>(forms);
  add_integer<s16, From>(forms);
  add_integer<u32, From>(forms);
  add_integer<s32, From>(forms);
  add_integer<u64, From>(forms);
  add_integer<s64, From>(forms);
  add_four_modes<ToFloat<float, From>, float, HeldAs<From>>(forms, between<float, From>());
  add_four_modes<ToFloat<double, From>, double, HeldAs<From>>(forms, between<double, From>());
  add_four_modes<ToFloatSaturated<float, From>, float, HeldAs<From>>(
      forms, std::string(".sat") + between<float, From>());
  add_all_to_half<F16, From>(forms);
  add_all_to_half<Bf16, From>(forms);
}
template <typename From>
[[gnu::cold]] void add_from_float(FormTable& forms) {
  add_float_to_integer<u8, From>(forms);
  add_float_to_integer<s8, From>(forms);
  add_float_to_integer<u16, From>(forms);
  add_float_to_integer<s16, From>(forms);
  add_float_to_integer<u32, From>(forms);
  add_float_to_integer<s32, From>(forms);
  add_float_to_integer<u64, From>(forms);
  add_float_to_integer<s64, From>(forms);
  if constexpr (!std::is_same_v<From, F16>) add_all_to_half<F16, From>(forms);
  if constexpr (!std::is_same_v<From, Bf16>) add_all_to_half<Bf16, From>(forms);
  if constexpr (kIsHalf<From>) {
    forms.add<ToFloat<float, From>, float, u16>({"cvt", between<float, From>()});
    forms.add_rare<ToFloatSaturated<float, From>, float, u16>({"cvt.sat", between<float, From>()});
    forms.add<ToFloat<double, From>, double, u16>({"cvt", between<double, From>()});
    forms.add_rare<ToHalf<From, From, Rounding::nearest, false, false>, u16, u16>(
        {"cvt", between<From, From>()});
    forms.add_rare<ToHalf<From, From, Rounding::nearest, false, true>, u16, u16>(
        {"cvt.sat", between<From, From>()});
  }
}

// Extensions from memory's sizes to a register's, and back: "extend.u32.s8", "truncate.b8.b32".
template <typename To, typename From>
[[gnu::cold]] void add_extension(FormTable& forms) {
  forms.add<Integer<To, From>, To, From>({"extend", between<To, From>()});
}
struct TruncateToByte {
  template <typename T>
  static u8 apply(T a) {
    return static_cast<u8>(a);
  }
};
struct ExtendByte {
  static u16 apply(u8 a) { return a; }
  static s16 apply(s8 a) { return a; }
};
struct ExtendByte32 {
  static u32 apply(u8 a) { return a; }
  static s32 apply(s8 a) { return a; }
};
struct ExtendByte64 {
  static u64 apply(u8 a) { return a; }
  static s64 apply(s8 a) { return a; }
};

} // namespace

[[gnu::cold]] void add_convert_forms(FormTable& forms) {
  add_from_integer<u8>(forms);
  add_from_integer<s8>(forms);
  add_from_integer<u16>(forms);
  add_from_integer<s16>(forms);
  add_from_integer<u32>(forms);
  add_from_integer<s32>(forms);
  add_from_integer<u64>(forms);
  add_from_integer<s64>(forms);
  add_from_float<F16>(forms);
  add_from_float<Bf16>(forms);
  add_from_float<float>(forms);
  add_from_float<double>(forms);
  forms.add<TruncateFloat<s32>, s32, float>("cvt.rzi.s32.f32");
  forms.add<TruncateFloat<u32>, u32, float>("cvt.rzi.u32.f32");
  add_same<float>(forms);
  add_same<double>(forms);
  forms.add<ToFloat<double, float>, double, float>("cvt.f64.f32");
  forms.add_rare<FlushedFloatToDouble, double, float>("cvt.ftz.f64.f32");
  forms.add_rare<ToFloatSaturated<double, float>, double, float>("cvt.sat.f64.f32");
  add_four_modes<ToFloat<float, double>, float, double>(forms, ".f32.f64");
  add_four_modes<ToFloatSaturated<float, double>, float, double>(forms, ".sat.f32.f64");
  add_four_modes<FlushedDoubleToFloat, float, double>(forms, ".ftz.f32.f64");
  add_to_pair<F16>(forms, "f16x2");
  add_to_pair<Bf16>(forms, "bf16x2");
  forms.add_rare<ToTf32, u32, float>("cvt.rna.tf32.f32");
  forms.add_rare<Pack<s16>, u32, s32, s32>("cvt.pack.sat.s16.s32");
  forms.add_rare<Pack<u16>, u32, s32, s32>("cvt.pack.sat.u16.s32");

  add_extension<u32, u16>(forms);
  add_extension<s32, s16>(forms);
  add_extension<u64, u16>(forms);
  add_extension<s64, s16>(forms);
  add_extension<u64, u32>(forms);
  add_extension<s64, s32>(forms);
  add_extension<u16, u32>(forms);
  add_extension<u16, u64>(forms);
  add_extension<u32, u64>(forms);
  forms.add<ExtendByte, u16, u8>("extend.u16.u8");
  forms.add<ExtendByte, s16, s8>("extend.s16.s8");
  forms.add<ExtendByte32, u32, u8>("extend.u32.u8");
  forms.add<ExtendByte32, s32, s8>("extend.s32.s8");
  forms.add<ExtendByte64, u64, u8>("extend.u64.u8");
  forms.add<ExtendByte64, s64, s8>("extend.s64.s8");
  forms.add<TruncateToByte, u8, u16>("extend.u8.u16");
  forms.add<TruncateToByte, u8, u32>("extend.u8.u32");
  forms.add<TruncateToByte, u8, u64>("extend.u8.u64");
}

} // namespace course::emulator
