// cvt: between integers, between formats of floating point, and from each to the other.
#include "device/emulator/differential/reference.hpp"

#include <algorithm>

namespace course::emulator::differential {
namespace {

__int128 lowest(std::string_view type) {
  return is_signed_type(type) ? -(__int128{1} << (bits_of_type(type) - 1)) : 0;
}
__int128 highest(std::string_view type) {
  return (__int128{1} << (bits_of_type(type) - is_signed_type(type))) - 1;
}

// Results narrower than their register are extended to it: 8 bits live in 16.
Expected integer_result(__int128 number, std::string_view type) {
  const auto bits = static_cast<Bits>(integer_of(static_cast<Bits>(number), type));
  return Expected::bits(masked(bits, std::max(bits_of_type(type), 16)));
}

Expected integer_to_integer(const Name& name, const Sources& in) {
  const std::string& to = name.result_type();
  const __int128 number = integer_of(in.of[0], name.type());
  return integer_result(name.has("sat") ? std::clamp(number, lowest(to), highest(to)) : number, to);
}

// Always clamped. A NaN gives 0, or the highest bit alone when one of the types has 64 bits.
Expected float_to_integer(const Name& name, const Sources& in) {
  const std::string& to = name.result_type();
  const Format& from = format_of(name.type());
  const Bits bits = masked(in.of[0], from.bits);
  const Exact number =
      integral(exact(name.has("ftz") ? flushed(bits, from) : bits, from), rounding_of(name));
  if (!number.is_nan()) return integer_result(clamped(number, lowest(to), highest(to)), to);
  const bool wide = name.type() == "f64" || bits_of_type(to) == 64;
  return integer_result(wide ? __int128{1} << (bits_of_type(to) - 1) : 0, to);
}

Part to_format(const Name& name, Exact number, const Format& format) {
  Part part;
  if (name.has("sat")) {
    if (number.is_nan() || number.negative || number.is_zero())
      number = Exact{};
    else if (less(exact(1), number))
      number = exact(1);
  }
  if (name.has("relu") && !number.is_nan() && number.negative) number = Exact{};
  if (number.is_nan()) {
    part.compare = Part::Compare::nan;
    return part;
  }
  part.value = rounded(number, format, rounding_of(name));
  if (name.has("ftz") && format.bits == 32) part.value = flushed(part.value, format);
  return part;
}

Expected to_float(const Name& name, const Sources& in) {
  Expected expected;
  expected.format = &format_of(name.result_type());
  if (!is_float_type(name.type())) {
    expected.part = to_format(name, exact(integer_of(in.of[0], name.type())), *expected.format);
    return expected;
  }
  const Format& from = format_of(name.type());
  Bits bits = masked(in.of[0], from.bits);
  if (name.has("ftz") && from.bits == 32) bits = flushed(bits, from);
  Exact number = exact(bits, from);
  for (const auto rounding : {"rni", "rzi", "rmi", "rpi"})
    if (name.has(rounding)) number = integral(number, rounding_of(name));
  expected.part = to_format(name, number, *expected.format);
  return expected;
}

// a becomes the upper half, b the lower.
Expected to_pair(const Name& name, const Sources& in) {
  Expected expected;
  expected.format = &format_of(name.result_type());
  expected.part = to_format(name, exact(in.of[1], kF32), *expected.format);
  expected.upper = to_format(name, exact(in.of[0], kF32), *expected.format);
  return expected;
}
Expected to_packed_integers(const Name& name, const Sources& in) {
  const std::string& to = name.result_type();
  const auto half = [&](Bits bits) {
    const __int128 number = std::clamp(integer_of(bits, name.type()), lowest(to), highest(to));
    return masked(static_cast<Bits>(number), 16);
  };
  return Expected::bits(half(in.of[1]) | half(in.of[0]) << 16);
}

// Ten bits of fraction, ties away from zero; the 13 bits below are not defined.
Expected to_tf32(const Name& name, const Sources& in) {
  constexpr Format kTf32{19, 11, 127};
  Expected expected;
  expected.format = &kF32;
  expected.care = ~Bits{0x1fff};
  expected.part = to_format(name, exact(in.of[0], kF32), kTf32);
  expected.part.value <<= 13;
  return expected;
}

// Numbers of 8 bits. e5m2 is as other formats are. e4m3 has one exponent more than they would have
// in its bits, with NaN for its largest mantissa: numbers 2^8 times smaller have the same bits in a
// format of 9 bits, but for the sign.
constexpr Format kE5m2{8, 3, 15}, kWide{9, 4, 15};
constexpr int kApart = 8;
bool is_e4m3(std::string_view type) {
  return type == "e4m3x2";
}
bool is_small(std::string_view type) {
  return is_e4m3(type) || type == "e5m2x2";
}

Bits to_small(const Name& name, const std::string& to, Exact number) {
  if (number.is_nan()) return 0x7f;
  if (name.has("relu") && number.negative) return 0;
  const Format& format = is_e4m3(to) ? kWide : kE5m2;
  if (is_e4m3(to)) number.exponent -= kApart;
  const Bits most = is_e4m3(to) ? 0x7e : 0x7b; // of what is finite
  const Bits value = rounded(number, format, Rounding::to_nearest);
  return std::min(value & (format.sign() - 1), most) | (number.negative ? 0x80 : 0);
}
Expected floats_to_small(const Name& name, const Sources& in) {
  const std::string& to = name.modifier(name.modifiers() - 2);
  return Expected::bits(to_small(name, to, exact(in.of[0], kF32)) << 8 |
                        to_small(name, to, exact(in.of[1], kF32)));
}
Expected halves_to_small(const Name& name, const Sources& in) {
  const std::string& to = name.modifier(name.modifiers() - 2);
  return Expected::bits(to_small(name, to, exact(in.of[0] >> 16 & 0xffff, kF16)) << 8 |
                        to_small(name, to, exact(in.of[0] & 0xffff, kF16)));
}
Expected small_to_halves(const Name& name, const Sources& in) {
  const bool e4m3 = is_e4m3(name.modifier(name.modifiers() - 1));
  const auto half = [&](Bits bits) {
    if (!e4m3) return to_format(name, exact(bits, kE5m2), kF16);
    const Bits magnitude = bits & 0x7f;
    Exact number = exact(magnitude | (bits & 0x80) << 1, kWide);
    number.exponent += kApart;
    if (magnitude == 0x7f) number.kind = Exact::Kind::nan;
    return to_format(name, number, kF16);
  };
  Expected expected;
  expected.format = &kF16;
  expected.part = half(in.of[0] & 0xff);
  expected.upper = half(in.of[0] >> 8 & 0xff);
  return expected;
}
Reference of_small(const Name& name) {
  const auto last = [&name](std::size_t i) { return name.modifier(name.modifiers() - i); };
  if (is_small(last(1))) return small_to_halves;
  if (!is_small(last(2))) return nullptr;
  return last(1) == "f32" ? floats_to_small : halves_to_small;
}

} // namespace

Reference convert_reference(const Name& name) {
  if (name.opcode() != "cvt") return nullptr;
  if (const Reference small = of_small(name)) return small;
  const std::string& to = name.result_type();
  if (name.has("pack")) return to_packed_integers;
  if (to == "tf32") return to_tf32;
  if (to.ends_with("x2")) return to_pair;
  if (is_float_type(to)) return to_float;
  return is_float_type(name.type()) ? float_to_integer : integer_to_integer;
}

} // namespace course::emulator::differential
