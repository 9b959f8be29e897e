// Logic, shifts, bit fields, permutes, moves and selections.
#include "device/emulator/differential/reference.hpp"

#include <algorithm>

namespace course::emulator::differential {
namespace {

int width_of(const Name& name) {
  return name.type() == "pred" ? 1 : bits_of_type(name.type());
}
Expected in_width(const Name& name, Bits value) {
  return Expected::bits(masked(value, width_of(name)));
}
bool bit(Bits of, Bits position) {
  return position < 64 && (of >> position & 1);
}

Expected logic(const Name& name, const Sources& in) {
  const auto [a, b, c, d] = in.of;
  if (name.opcode() == "and") return in_width(name, a & b);
  if (name.opcode() == "or") return in_width(name, a | b);
  if (name.opcode() == "xor") return in_width(name, a ^ b);
  if (name.opcode() == "not") return in_width(name, ~a);
  return in_width(name, a == 0); // cnot
}

// The immediate is the table of results, by the bits of a, b and c, a's being the most significant.
Expected table_of_three(const Name&, const Sources& in) {
  Bits result = 0;
  for (Bits i = 0; i < 32; ++i) {
    const int row = 4 * bit(in.of[0], i) + 2 * bit(in.of[1], i) + bit(in.of[2], i);
    result |= Bits{bit(in.immediate, static_cast<Bits>(row))} << i;
  }
  return Expected::bits(result);
}

// Amounts are unsigned, and clamped to the width.
Expected shift(const Name& name, const Sources& in) {
  const auto width = static_cast<Bits>(width_of(name));
  const Bits by = masked(in.of[1], 32);
  Bits result = 0;
  for (Bits i = 0; i < width; ++i) {
    bool set = false;
    if (name.opcode() == "shl")
      set = i >= by && bit(in.of[0], i - by);
    else
      set = i + by < width ? bit(in.of[0], i + by)
                           : is_signed_type(name.type()) && bit(in.of[0], width - 1);
    result |= Bits{set} << i;
  }
  return Expected::bits(result);
}

Expected funnel_shift(const Name& name, const Sources& in) {
  const unsigned __int128 both = static_cast<unsigned __int128>(in.of[1]) << 32 | in.of[0];
  const Bits by = name.has("wrap") ? in.of[2] & 31 : std::min<Bits>(in.of[2], 32);
  return in_width(name, static_cast<Bits>(name.has("l") ? (both << by) >> 32 : both >> by));
}

// Position and length are the low 8 bits of their operands.
Expected extract_field(const Name& name, const Sources& in) {
  const auto top = static_cast<Bits>(width_of(name) - 1);
  const Bits position = in.of[1] & 255, length = in.of[2] & 255;
  bool sign = false;
  if (is_signed_type(name.type()) && length != 0)
    sign = bit(in.of[0], std::min(position + length - 1, top));
  Bits result = 0;
  for (Bits i = 0; i <= top; ++i) {
    const bool inside = i < length && position + i <= top;
    result |= Bits{inside ? bit(in.of[0], position + i) : sign} << i;
  }
  return Expected::bits(result);
}
Expected insert_field(const Name& name, const Sources& in) {
  const auto width = static_cast<Bits>(width_of(name));
  const Bits position = in.of[2] & 255, length = in.of[3] & 255;
  Bits result = in.of[1];
  for (Bits i = 0; i < length && position + i < width; ++i) {
    result &= ~(Bits{1} << (position + i));
    result |= Bits{bit(in.of[0], i)} << (position + i);
  }
  return Expected::bits(result);
}

// Of a negative number the highest bit that is not a copy of the sign.
Expected find_highest(const Name& name, const Sources& in) {
  const int width = width_of(name);
  const bool invert = is_signed_type(name.type()) && bit(in.of[0], static_cast<Bits>(width) - 1);
  for (int i = width - 1; i >= 0; --i)
    if (bit(in.of[0], static_cast<Bits>(i)) != invert)
      return Expected::bits(static_cast<Bits>(name.has("shiftamt") ? width - 1 - i : i));
  return Expected::bits(0xffffffff);
}

Expected count_bits(const Name& name, const Sources& in) {
  const int width = width_of(name);
  Bits ones = 0, leading = 0, reversed = 0;
  bool seen = false;
  for (int i = width - 1; i >= 0; --i) {
    const bool set = bit(in.of[0], static_cast<Bits>(i));
    seen = seen || set;
    ones += set;
    leading += !seen;
    reversed |= Bits{set} << (width - 1 - i);
  }
  return Expected::bits(name.opcode() == "popc"  ? ones
                        : name.opcode() == "clz" ? leading
                                                 : reversed);
}

// The n-th set bit from a base, upwards or downwards; defined for bases of 0 to 31.
Expected find_nth(const Name&, const Sources& in) {
  const Bits base = in.of[1];
  const auto offset = integer_of(in.of[2], "s32");
  if (base > 31) return Expected::nothing();
  if (offset == 0) return Expected::bits(bit(in.of[0], base) ? base : 0xffffffff);
  __int128 left = offset < 0 ? -offset : offset;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
    if (bit(in.of[0], static_cast<Bits>(at)) && --left == 0)
      return Expected::bits(static_cast<Bits>(at));
  return Expected::bits(0xffffffff);
}

// Ones from a, as many as b says.
Expected make_mask(const Name& name, const Sources& in) {
  const bool clamp = name.has("clamp");
  const Bits from = clamp ? std::min<Bits>(in.of[0], 32) : in.of[0] & 31;
  const Bits count = clamp ? std::min<Bits>(in.of[1], 32) : in.of[1] & 31;
  Bits result = 0;
  for (Bits i = from; i < std::min<Bits>(from + count, 32); ++i) result |= Bits{1} << i;
  return Expected::bits(result);
}

// The low b bits, with the sign or zeros above.
Expected extend_from_bit(const Name& name, const Sources& in) {
  const Bits count = name.has("clamp") ? std::min<Bits>(in.of[1], 32) : in.of[1] & 31;
  const bool sign = name.type() == "s32" && count > 0 && bit(in.of[0], count - 1);
  Bits result = 0;
  for (Bits i = 0; i < 32; ++i) result |= Bits{i < count ? bit(in.of[0], i) : sign} << i;
  return Expected::bits(result);
}

// Which byte of {b, a} becomes byte `i`.
Bits byte_chosen(const Name& name, Bits selector, int i) {
  static constexpr std::uint16_t kEdges[2][4] = {{0x3210, 0x3211, 0x3222, 0x3333},
                                                 {0x0000, 0x1110, 0x2210, 0x3210}};
  const Bits n = selector & 3;
  const auto position = static_cast<Bits>(i);
  if (name.has("f4e")) return n + position;
  if (name.has("b4e")) return (n - position) & 7;
  if (name.has("rc8")) return n;
  if (name.has("ecl")) return kEdges[0][n] >> (4 * i) & 15;
  if (name.has("ecr")) return kEdges[1][n] >> (4 * i) & 15;
  if (name.has("rc16")) return 2 * (n & 1) + position % 2;
  return selector >> (4 * i) & 15;
}
Expected permute(const Name& name, const Sources& in) {
  Bits result = 0;
  for (int i = 0; i < 4; ++i) {
    const Bits chosen = byte_chosen(name, in.of[2], i), number = chosen & 7;
    Bits byte = (number < 4 ? in.of[0] >> (8 * number) : in.of[1] >> (8 * (number - 4))) & 255;
    if (chosen & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return Expected::bits(result);
}

Expected move(const Name& name, const Sources& in) {
  return in_width(name, in.of[0]);
}
Expected select(const Name& name, const Sources& in) {
  return in_width(name, in.of[2] ? in.of[0] : in.of[1]);
}
// By the sign of c; -0 counts as 0, and a NaN as negative.
Expected select_by_sign(const Name& name, const Sources& in) {
  bool first = integer_of(in.of[2], "s32") >= 0;
  if (name.type() == "f32") {
    const Exact c = exact(in.of[2], kF32);
    first = !c.is_nan() && (c.is_zero() || !c.negative);
  }
  return Expected::bits(masked(first ? in.of[0] : in.of[1], bits_of_type(name.modifier(0))));
}

// Not an instruction of its own: what follows where a register is wider than a result.
Expected extend(const Name& name, const Sources& in) {
  const auto number = static_cast<Bits>(integer_of(in.of[0], name.type()));
  return Expected::bits(masked(number, bits_of_type(name.result_type())));
}

} // namespace

Reference bit_reference(const Name& name) {
  const std::string& op = name.opcode();
  if (op == "and" || op == "or" || op == "xor" || op == "not" || op == "cnot") return logic;
  if (op == "lop3") return table_of_three;
  if (op == "shl" || op == "shr") return shift;
  if (op == "shf") return funnel_shift;
  if (op == "bfe") return extract_field;
  if (op == "bfi") return insert_field;
  if (op == "bfind") return find_highest;
  if (op == "popc" || op == "clz" || op == "brev") return count_bits;
  if (op == "fns") return find_nth;
  if (op == "bmsk") return make_mask;
  if (op == "szext") return extend_from_bit;
  if (op == "prmt") return permute;
  if (op == "mov") return move;
  if (op == "selp") return select;
  if (op == "slct") return select_by_sign;
  if (op == "extend") return extend;
  return nullptr;
}

} // namespace course::emulator::differential
