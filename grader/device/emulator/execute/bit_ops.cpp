// Logic, shifts, bit fields, permutes, dot products, and moves.
#include "device/emulator/execute/forms.hpp"

#include <bit>

namespace course::emulator {
namespace {

struct And {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <typename T>
  static T apply(T a) {
    return static_cast<T>(~a);
  }
};
struct CNot { // C's !a
  template <typename T>
  static T apply(T a) {
    return a == 0 ? 1 : 0;
  }
};
struct Move {
  template <typename T>
  static T apply(T a) {
    return a;
  }
};

// Shift amounts beyond the width are as large as they say, not modulo it.
struct ShiftLeft {
  template <typename T>
  static T apply(T a, u32 by) {
    return by < sizeof(T) * 8 ? static_cast<T>(a << by) : T{0};
  }
};
struct ShiftRight {
  template <typename T>
  static T apply(T a, u32 by) {
    constexpr u32 kBits = sizeof(T) * 8;
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> (by < kBits ? by : kBits - 1));
    else
      return by < kBits ? static_cast<T>(a >> by) : T{0};
  }
};

// shf: 64 bits {b, a} shifted; left gives the high word, right the low one.
struct FunnelLeftWrap {
  static u32 apply(u32 a, u32 b, u32 by) {
    return static_cast<u32>(((u64{b} << 32 | a) << (by & 31)) >> 32);
  }
};
struct FunnelLeftClamp {
  static u32 apply(u32 a, u32 b, u32 by) {
    return by >= 32 ? a : static_cast<u32>(((u64{b} << 32 | a) << by) >> 32);
  }
};
struct FunnelRightWrap {
  static u32 apply(u32 a, u32 b, u32 by) {
    return static_cast<u32>((u64{b} << 32 | a) >> (by & 31));
  }
};
struct FunnelRightClamp {
  static u32 apply(u32 a, u32 b, u32 by) {
    return static_cast<u32>((u64{b} << 32 | a) >> (by < 32 ? by : 32));
  }
};

// Bit i of the table is the result for the bits a b c = i.
struct Lop3 {
  static u32 apply(u32 a, u32 b, u32 c, u32 table) {
    u32 result = 0;
    for (u32 i = 0; i < 8; ++i) {
      const u32 chosen = table >> i & 1 ? kAllLanes : 0;
      result |= chosen & (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    }
    return result;
  }
};

struct CountOnes {
  template <typename T>
  static u32 apply(T a) {
    return static_cast<u32>(std::popcount(a));
  }
};
struct LeadingZeros {
  template <typename T>
  static u32 apply(T a) {
    return static_cast<u32>(std::countl_zero(a));
  }
};
struct Reverse {
  template <typename T>
  static T apply(T a) {
    T result = 0;
    for (std::size_t i = 0; i < sizeof(T) * 8; ++i)
      result |= static_cast<T>((a >> i & 1) << (sizeof(T) * 8 - 1 - i));
    return result;
  }
};

// Position of the highest bit that differs from the sign; all ones when there is none.
template <typename T>
u32 highest_bit(T a) {
  using U = std::make_unsigned_t<T>;
  U bits = static_cast<U>(a);
  if (std::is_signed_v<T> && a < 0) bits = static_cast<U>(~bits);
  return bits == 0 ? kAllLanes : static_cast<u32>(std::bit_width(bits)) - 1;
}
struct FindBit {
  template <typename T>
  static u32 apply(T a) {
    return highest_bit(a);
  }
};
struct FindShift { // by how much to shift left to bring it to the top
  template <typename T>
  static u32 apply(T a) {
    const u32 bit = highest_bit(a);
    return bit == kAllLanes ? bit : static_cast<u32>(sizeof(T) * 8 - 1) - bit;
  }
};
struct FindNthSet { // fns: the offset-th set bit from `base` upwards, or downwards
  static u32 apply(u32 mask, u32 base, s32 offset) {
    base &= 31;
    if (offset == 0) return mask >> base & 1 ? base : kAllLanes;
    const int step = offset > 0 ? 1 : -1;
    u32 left = offset > 0 ? static_cast<u32>(offset) : 0u - static_cast<u32>(offset);
    for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step)
      if (mask >> at & 1 && --left == 0) return static_cast<u32>(at);
    return kAllLanes;
  }
};

template <typename T>
T low_ones(u32 count) {
  return count >= sizeof(T) * 8 ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << count) - 1);
}
struct ExtractField { // bfe; position and length are their low 8 bits
  template <typename T>
  static T apply(T a, u32 position, u32 length) {
    using U = std::make_unsigned_t<T>;
    constexpr u32 kBits = sizeof(T) * 8;
    position &= 0xff;
    length &= 0xff;
    const U bits = static_cast<U>(a);
    const U field = static_cast<U>((position < kBits ? bits >> position : 0) & low_ones<U>(length));
    if (!std::is_signed_v<T> || length == 0) return static_cast<T>(field);
    // The sign is the field's highest bit, or the operand's when the field reaches beyond it.
    const u32 sign_at = position + length - 1 < kBits ? position + length - 1 : kBits - 1;
    if (!(bits >> sign_at & 1)) return static_cast<T>(field);
    const u32 held = position < kBits ? kBits - position : 0; // bits that the operand still has
    return static_cast<T>(field | static_cast<U>(~low_ones<U>(length < held ? length : held)));
  }
};
struct InsertField { // bfi: a's low bits into b
  template <typename T>
  static T apply(T a, T b, u32 position, u32 length) {
    position &= 0xff;
    length &= 0xff;
    if (position >= sizeof(T) * 8) return b;
    const T field = static_cast<T>(low_ones<T>(length) << position);
    return static_cast<T>((b & ~field) | ((a << position) & field));
  }
};
struct MaskClamp { // bmsk: `length` ones from `position`
  static u32 apply(u32 position, u32 length) {
    return position >= 32 ? 0 : low_ones<u32>(length) << position;
  }
};
struct MaskWrap {
  static u32 apply(u32 position, u32 length) {
    return low_ones<u32>(length & 31) << (position & 31);
  }
};
template <typename T, bool kWrap>
struct ExtendSign { // szext: the low `width` bits, extended
  static u32 apply(u32 a, u32 width) {
    if (kWrap) width &= 31;
    if (width >= 32) return a;
    if (width == 0) return 0;
    const u32 field = a & low_ones<u32>(width);
    const bool negative = std::is_signed_v<T> && (a >> (width - 1) & 1);
    return negative ? field | ~low_ones<u32>(width) : field;
  }
};

// prmt: each nibble of the selector picks one of the eight bytes of {b, a}; its top bit asks for
// the byte's sign, eight times, instead.
u32 byte_of(u32 a, u32 b, u32 index) {
  return static_cast<u32>((u64{b} << 32 | a) >> ((index & 7) * 8) & 0xff);
}
struct Permute {
  static u32 apply(u32 a, u32 b, u32 selector) {
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
      const u32 pick = selector >> (4 * i);
      u32 byte = byte_of(a, b, pick);
      if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};
// The named modes of prmt, as the byte that position i takes for the selector's low two bits.
enum class PermuteMode { f4e, b4e, rc8, ecl, ecr, rc16 };
template <PermuteMode kMode>
struct PermuteNamed {
  static u32 index(u32 i, u32 s) {
    switch (kMode) {
    case PermuteMode::f4e:
      return s + i;
    case PermuteMode::b4e:
      return (8 + s - i) & 7;
    case PermuteMode::rc8:
      return s;
    case PermuteMode::ecl:
      return i > s ? i : s;
    case PermuteMode::ecr:
      return i < s ? i : s;
    case PermuteMode::rc16:
      return (s & 1) * 2 + (i & 1);
    }
    return 0;
  }
  static u32 apply(u32 a, u32 b, u32 selector) {
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) result |= byte_of(a, b, index(i, selector & 3)) << (8 * i);
    return result;
  }
};

template <typename A, typename B>
struct Dot4 { // four byte products
  static u32 apply(u32 a, u32 b, u32 c) {
    for (int i = 0; i < 4; ++i) {
      c += static_cast<u32>(s32{static_cast<A>(a >> (8 * i))} * s32{static_cast<B>(b >> (8 * i))});
    }
    return c;
  }
};
// Of the unsigned parts of two words: the distance of each, or the sum of all distances and c.
template <typename Part>
struct Distances {
  static constexpr int kBits = 8 * sizeof(Part);
  static u32 of(u32 a, u32 b, int i) {
    const auto x = static_cast<Part>(a >> (kBits * i)), y = static_cast<Part>(b >> (kBits * i));
    return x > y ? u32{x} - y : u32{y} - x;
  }
};
template <typename Part>
struct DistanceOfEach {
  static u32 apply(u32 a, u32 b, u32) {
    u32 result = 0;
    for (int i = 0; i < 32 / Distances<Part>::kBits; ++i)
      result |= Distances<Part>::of(a, b, i) << (Distances<Part>::kBits * i);
    return result;
  }
};
template <typename Part>
struct SumOfDistances {
  static u32 apply(u32 a, u32 b, u32 c) {
    for (int i = 0; i < 32 / Distances<Part>::kBits; ++i) c += Distances<Part>::of(a, b, i);
    return c;
  }
};
template <typename A, typename B, int kFirst>
struct Dot2 { // two 16-bit numbers times two bytes
  static u32 apply(u32 a, u32 b, u32 c) {
    for (int i = 0; i < 2; ++i) {
      const s32 x = static_cast<A>(a >> (16 * i));
      const s32 y = static_cast<B>(b >> (8 * (i + kFirst)));
      c += static_cast<u32>(x * y);
    }
    return c;
  }
};

// F on the masks of predicates, where 32 lanes are one number.
template <typename F, int kSources>
void on_predicates(Warp& warp, const Operation& op, u32 mask) {
  const u32 a = predicate_at(warp.frame, op.slot[1]);
  u32 value = 0;
  if constexpr (kSources == 1)
    value = F::apply(a);
  else
    value = F::apply(a, predicate_at(warp.frame, op.slot[2]));
  u32& result = predicate_at(warp.frame, op.slot[0]);
  result = (result & ~mask) | (value & mask);
}
template <typename F, int kSources>
[[gnu::cold]] void add_predicate(FormTable& forms, const std::string& name) {
  const Execute execute = on_predicates<F, kSources>;
  forms.insert(name, Form{{execute, execute}, std::string(kSources + 1, 'p'), false, false});
}

template <typename T>
[[gnu::cold]] void add_logic(FormTable& forms, const std::string& type) {
  forms.add<And, T, T, T>("and." + type);
  forms.add<Or, T, T, T>("or." + type);
  forms.add<Xor, T, T, T>("xor." + type);
  forms.add<Not, T, T>("not." + type);
  forms.add<CNot, T, T>("cnot." + type);
  forms.add<ShiftLeft, T, T, u32>("shl." + type);
}

template <typename U, typename S>
[[gnu::cold]] void add_bits(FormTable& forms, const std::string& bits) {
  add_logic<U>(forms, "b" + bits);
  forms.add<ShiftRight, U, U, u32>("shr.b" + bits);
  forms.add<ShiftRight, U, U, u32>("shr.u" + bits);
  forms.add<ShiftRight, S, S, u32>("shr.s" + bits);
  for (const char* kind : {"b", "u", "s", "f"}) forms.add<Move, U, U>("mov." + (kind + bits));
  if constexpr (sizeof(U) > 2) {
    forms.add<CountOnes, u32, U>("popc.b" + bits);
    forms.add<LeadingZeros, u32, U>("clz.b" + bits);
    forms.add<Reverse, U, U>("brev.b" + bits);
    forms.add<FindBit, u32, U>("bfind.u" + bits);
    forms.add<FindBit, u32, S>("bfind.s" + bits);
    forms.add<FindShift, u32, U>("bfind.shiftamt.u" + bits);
    forms.add<FindShift, u32, S>("bfind.shiftamt.s" + bits);
    forms.add<ExtractField, U, U, u32, u32>("bfe.u" + bits);
    forms.add<ExtractField, S, S, u32, u32>("bfe.s" + bits);
    forms.add<InsertField, U, U, U, u32, u32>("bfi.b" + bits);
  }
}

} // namespace

[[gnu::cold]] void add_bit_forms(FormTable& forms) {
  add_bits<u16, s16>(forms, "16");
  add_bits<u32, s32>(forms, "32");
  add_bits<u64, s64>(forms, "64");
  add_predicate<And, 2>(forms, "and.pred");
  add_predicate<Or, 2>(forms, "or.pred");
  add_predicate<Xor, 2>(forms, "xor.pred");
  add_predicate<Not, 1>(forms, "not.pred");
  add_predicate<Move, 1>(forms, "mov.pred");

  forms.add<Lop3, u32, u32, u32, u32, Immediate>("lop3.b32");
  forms.add<FunnelLeftWrap, u32, u32, u32, u32>("shf.l.wrap.b32");
  forms.add<FunnelLeftClamp, u32, u32, u32, u32>("shf.l.clamp.b32");
  forms.add<FunnelRightWrap, u32, u32, u32, u32>("shf.r.wrap.b32");
  forms.add<FunnelRightClamp, u32, u32, u32, u32>("shf.r.clamp.b32");
  forms.add<FindNthSet, u32, u32, u32, s32>("fns.b32");
  forms.add<MaskClamp, u32, u32, u32>("bmsk.clamp.b32");
  forms.add<MaskWrap, u32, u32, u32>("bmsk.wrap.b32");
  forms.add<ExtendSign<u32, false>, u32, u32, u32>("szext.clamp.u32");
  forms.add<ExtendSign<s32, false>, u32, u32, u32>("szext.clamp.s32");
  forms.add<ExtendSign<u32, true>, u32, u32, u32>("szext.wrap.u32");
  forms.add<ExtendSign<s32, true>, u32, u32, u32>("szext.wrap.s32");

  forms.add<Permute, u32, u32, u32, u32>("prmt.b32");
  forms.add<PermuteNamed<PermuteMode::f4e>, u32, u32, u32, u32>("prmt.b32.f4e");
  forms.add<PermuteNamed<PermuteMode::b4e>, u32, u32, u32, u32>("prmt.b32.b4e");
  forms.add<PermuteNamed<PermuteMode::rc8>, u32, u32, u32, u32>("prmt.b32.rc8");
  forms.add<PermuteNamed<PermuteMode::ecl>, u32, u32, u32, u32>("prmt.b32.ecl");
  forms.add<PermuteNamed<PermuteMode::ecr>, u32, u32, u32, u32>("prmt.b32.ecr");
  forms.add<PermuteNamed<PermuteMode::rc16>, u32, u32, u32, u32>("prmt.b32.rc16");

  forms.add<DistanceOfEach<u8>, u32, u32, u32, u32>("vabsdiff4.u32.u32.u32");
  forms.add<DistanceOfEach<u16>, u32, u32, u32, u32>("vabsdiff2.u32.u32.u32");
  forms.add<SumOfDistances<u8>, u32, u32, u32, u32>("vabsdiff4.u32.u32.u32.add");
  forms.add<SumOfDistances<u16>, u32, u32, u32, u32>("vabsdiff2.u32.u32.u32.add");

  forms.add<Dot4<u8, u8>, u32, u32, u32, u32>("dp4a.u32.u32");
  forms.add<Dot4<u8, s8>, u32, u32, u32, u32>("dp4a.u32.s32");
  forms.add<Dot4<s8, u8>, u32, u32, u32, u32>("dp4a.s32.u32");
  forms.add<Dot4<s8, s8>, u32, u32, u32, u32>("dp4a.s32.s32");
  forms.add<Dot2<u16, u8, 0>, u32, u32, u32, u32>("dp2a.lo.u32.u32");
  forms.add<Dot2<u16, s8, 0>, u32, u32, u32, u32>("dp2a.lo.u32.s32");
  forms.add<Dot2<s16, u8, 0>, u32, u32, u32, u32>("dp2a.lo.s32.u32");
  forms.add<Dot2<s16, s8, 0>, u32, u32, u32, u32>("dp2a.lo.s32.s32");
  forms.add<Dot2<u16, u8, 2>, u32, u32, u32, u32>("dp2a.hi.u32.u32");
  forms.add<Dot2<u16, s8, 2>, u32, u32, u32, u32>("dp2a.hi.u32.s32");
  forms.add<Dot2<s16, u8, 2>, u32, u32, u32, u32>("dp2a.hi.s32.u32");
  forms.add<Dot2<s16, s8, 2>, u32, u32, u32, u32>("dp2a.hi.s32.s32");
}

} // namespace course::emulator
