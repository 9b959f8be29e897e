// Integer arithmetic: add sub mul mad div rem min max abs neg sad, and their 24-bit and packed
// kin. Overflow wraps; PTX leaves division by zero open, and here it gives what an NVIDIA GPU
// gives: all ones, and the dividend as the remainder.
#include "device/emulator/execute/forms.hpp"

#include <limits>

namespace course::emulator {
namespace {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

template <typename T>
T wrapped(u64 value) {
  return static_cast<T>(value);
}

template <typename T>
struct Twice;
template <>
struct Twice<u16> {
  using type = u32;
};
template <>
struct Twice<s16> {
  using type = s32;
};
template <>
struct Twice<u32> {
  using type = u64;
};
template <>
struct Twice<s32> {
  using type = s64;
};
template <>
struct Twice<u64> {
  using type = unsigned __int128;
};
template <>
struct Twice<s64> {
  using type = __int128;
};

struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  }
};
struct Subtract {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  }
};
s32 saturated(s64 value) {
  return static_cast<s32>(value > std::numeric_limits<s32>::max() ? std::numeric_limits<s32>::max()
                          : value < std::numeric_limits<s32>::min()
                              ? std::numeric_limits<s32>::min()
                              : value);
}
struct AddSaturated {
  static s32 apply(s32 a, s32 b) { return saturated(s64{a} + b); }
};
struct SubtractSaturated {
  static s32 apply(s32 a, s32 b) { return saturated(s64{a} - b); }
};

template <typename T>
T low_product(T a, T b) {
  // Through 64 bits: two 16-bit operands would be promoted to int, whose overflow is undefined.
  return wrapped<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
template <typename T>
T high_product(T a, T b) {
  using Wide = typename Twice<T>::type;
  return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> (sizeof(T) * 8));
}
struct MultiplyLow {
  template <typename T>
  static T apply(T a, T b) {
    return low_product(a, b);
  }
};
struct MultiplyHigh {
  template <typename T>
  static T apply(T a, T b) {
    return high_product(a, b);
  }
};
struct MultiplyWide {
  template <typename T>
  static typename Twice<T>::type apply(T a, T b) {
    using Wide = typename Twice<T>::type;
    return static_cast<Wide>(static_cast<Wide>(a) * static_cast<Wide>(b));
  }
};
struct MadLow {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(low_product(a, b), c);
  }
};
struct MadHigh {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(high_product(a, b), c);
  }
};
struct MadHighSaturated {
  static s32 apply(s32 a, s32 b, s32 c) { return saturated(s64{high_product(a, b)} + c); }
};
struct MadWide {
  template <typename T>
  static typename Twice<T>::type apply(T a, T b, typename Twice<T>::type c) {
    return Add::apply(MultiplyWide::apply(a, b), c);
  }
};

// The low 24 bits of a number, with its sign when it has one.
template <typename T>
T low_24(T a) {
  return static_cast<T>(static_cast<T>(static_cast<u32>(a) << 8) >> 8);
}
struct Multiply24Low {
  template <typename T>
  static T apply(T a, T b) {
    return low_product(low_24(a), low_24(b));
  }
};
struct Multiply24High { // bits 16 to 47 of the product
  template <typename T>
  static T apply(T a, T b) {
    using Wide = typename Twice<T>::type;
    return static_cast<T>((Wide{low_24(a)} * Wide{low_24(b)}) >> 16);
  }
};
struct Mad24Low {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(Multiply24Low::apply(a, b), c);
  }
};
struct Mad24High {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(Multiply24High::apply(a, b), c);
  }
};
struct Mad24HighSaturated {
  static s32 apply(s32 a, s32 b, s32 c) { return saturated(s64{Multiply24High::apply(a, b)} + c); }
};

struct Divide {
  template <typename T>
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Subtract::apply(T{0}, a); // the least number has no negative
    }
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <typename T>
  static T apply(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct Minimum {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Maximum {
  template <typename T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};
template <typename F>
struct Relu { // negative results become 0
  template <typename T>
  static T apply(T a, T b) {
    const T value = F::apply(a, b);
    return value < 0 ? T{0} : value;
  }
};
struct Absolute {
  template <typename T>
  static T apply(T a) {
    return a < 0 ? Subtract::apply(T{0}, a) : a;
  }
};
struct Negate {
  template <typename T>
  static T apply(T a) {
    return Subtract::apply(T{0}, a);
  }
};
struct SumOfDifference { // sad
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(c, a < b ? Subtract::apply(b, a) : Subtract::apply(a, b));
  }
};

// F on both 16-bit halves.
template <typename F, typename Half>
struct Packed {
  static u32 apply(u32 a, u32 b) {
    const auto low = static_cast<u16>(F::apply(static_cast<Half>(a), static_cast<Half>(b)));
    const auto high =
        static_cast<u16>(F::apply(static_cast<Half>(a >> 16), static_cast<Half>(b >> 16)));
    return u32{low} | u32{high} << 16;
  }
};

template <typename T>
[[gnu::cold]] void add_common(FormTable& forms, const std::string& type) {
  forms.add<Add, T, T, T>("add." + type);
  forms.add<Subtract, T, T, T>("sub." + type);
  forms.add<MultiplyLow, T, T, T>("mul.lo." + type);
  forms.add<MultiplyHigh, T, T, T>("mul.hi." + type);
  forms.add<MadLow, T, T, T, T>("mad.lo." + type);
  forms.add<MadHigh, T, T, T, T>("mad.hi." + type);
  forms.add<Divide, T, T, T>("div." + type);
  forms.add<Remainder, T, T, T>("rem." + type);
  forms.add<Minimum, T, T, T>("min." + type);
  forms.add<Maximum, T, T, T>("max." + type);
  forms.add<SumOfDifference, T, T, T, T>("sad." + type);
  if constexpr (sizeof(T) < 8) {
    using Wide = typename Twice<T>::type;
    forms.add<MultiplyWide, Wide, T, T>("mul.wide." + type);
    forms.add<MadWide, Wide, T, T, Wide>("mad.wide." + type);
  }
  if constexpr (sizeof(T) == 4) {
    forms.add<Multiply24Low, T, T, T>("mul24.lo." + type);
    forms.add<Multiply24High, T, T, T>("mul24.hi." + type);
    forms.add<Mad24Low, T, T, T, T>("mad24.lo." + type);
    forms.add<Mad24High, T, T, T, T>("mad24.hi." + type);
  }
  if constexpr (std::is_signed_v<T>) {
    forms.add<Absolute, T, T>("abs." + type);
    forms.add<Negate, T, T>("neg." + type);
  }
}

} // namespace

[[gnu::cold]] void add_integer_forms(FormTable& forms) {
  add_common<u16>(forms, "u16");
  add_common<s16>(forms, "s16");
  add_common<u32>(forms, "u32");
  add_common<s32>(forms, "s32");
  add_common<u64>(forms, "u64");
  add_common<s64>(forms, "s64");
  forms.add<AddSaturated, s32, s32, s32>("add.sat.s32");
  forms.add<SubtractSaturated, s32, s32, s32>("sub.sat.s32");
  forms.add<MadHighSaturated, s32, s32, s32, s32>("mad.hi.sat.s32");
  forms.add<Mad24HighSaturated, s32, s32, s32, s32>("mad24.hi.sat.s32");
  forms.add<Packed<Add, u16>, u32, u32, u32>("add.u16x2");
  forms.add<Packed<Add, s16>, u32, u32, u32>("add.s16x2");
  forms.add<Packed<Minimum, u16>, u32, u32, u32>("min.u16x2");
  forms.add<Packed<Minimum, s16>, u32, u32, u32>("min.s16x2");
  forms.add<Packed<Maximum, u16>, u32, u32, u32>("max.u16x2");
  forms.add<Packed<Maximum, s16>, u32, u32, u32>("max.s16x2");
  // nvcc puts .relu behind the type, the PTX ISA before it.
  for (const std::string name : {"min.relu.s32", "min.s32.relu"})
    forms.add<Relu<Minimum>, s32, s32, s32>(name);
  for (const std::string name : {"max.relu.s32", "max.s32.relu"})
    forms.add<Relu<Maximum>, s32, s32, s32>(name);
  for (const std::string name : {"min.relu.s16x2", "min.s16x2.relu"})
    forms.add<Packed<Relu<Minimum>, s16>, u32, u32, u32>(name);
  for (const std::string name : {"max.relu.s16x2", "max.s16x2.relu"})
    forms.add<Packed<Relu<Maximum>, s16>, u32, u32, u32>(name);
}

} // namespace course::emulator
