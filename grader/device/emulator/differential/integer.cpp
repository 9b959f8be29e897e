// add, sub, mul, mad and their forms with carry; div, rem, min, max, sad, abs, neg; dot products.
#include "device/emulator/differential/reference.hpp"

#include <algorithm>

namespace course::emulator::differential {
namespace {

using Integer = __int128;
using Wide = unsigned __int128;

Integer lowest(std::string_view type) {
  return is_signed_type(type) ? -(Integer{1} << (bits_of_type(type) - 1)) : 0;
}
Integer highest(std::string_view type) {
  return (Integer{1} << (bits_of_type(type) - is_signed_type(type))) - 1;
}
Integer magnitude(Integer number) {
  return number < 0 ? -number : number;
}
// Wraps as the hardware's registers do; 64-bit products need all 128 bits.
Integer times(Integer a, Integer b) {
  return static_cast<Integer>(static_cast<Wide>(a) * static_cast<Wide>(b));
}
Bits upper_half(Integer product, std::string_view type) {
  const int width = bits_of_type(type);
  const Wide shifted = is_signed_type(type) ? static_cast<Wide>(product >> width)
                                            : static_cast<Wide>(product) >> width;
  return masked(static_cast<Bits>(shifted), width);
}

Expected of_type(Integer result, std::string_view type) {
  return Expected::bits(masked(static_cast<Bits>(result), bits_of_type(type)));
}

// The factor's part of mul and mad, before anything is added.
Integer product_of(const Name& name, const Sources& in) {
  const std::string& type = name.type();
  const Integer product = times(integer_of(in.of[0], type), integer_of(in.of[1], type));
  if (name.has("hi")) return integer_of(upper_half(product, type), type);
  return product; // lo is cut off by the caller, wide is kept
}

Expected add_or_subtract(const Name& name, const Sources& in) {
  const std::string& type = name.type();
  const Integer a = integer_of(in.of[0], type), b = integer_of(in.of[1], type);
  const Integer result = name.opcode() == "add" ? a + b : a - b;
  return of_type(name.has("sat") ? std::clamp(result, lowest(type), highest(type)) : result, type);
}

// In unsigned numbers, where the carry is what does not fit.
Expected with_carry(const Name& name, const Sources& in) {
  const std::string& type = name.type();
  const int width = bits_of_type(type);
  const bool uses = name.opcode().ends_with('c');
  Integer a = masked(in.of[0], width), b = masked(in.of[1], width);
  if (name.opcode().starts_with("mad")) {
    a = masked(static_cast<Bits>(product_of(name, in)), width);
    b = masked(in.of[2], width);
  }
  const Integer carry = uses && in.carry;
  const bool subtract = name.opcode().starts_with("sub");
  const Integer result = subtract ? a - (b + carry) : a + b + carry;
  Expected expected = of_type(result, type);
  const bool overflow = result < 0 || result >> width != 0;
  expected.carry = name.has("cc") ? overflow : in.carry;
  return expected;
}

Expected multiply(const Name& name, const Sources& in) {
  const Integer product = product_of(name, in);
  if (name.has("wide"))
    return Expected::bits(masked(static_cast<Bits>(product), 2 * bits_of_type(name.type())));
  return of_type(product, name.type());
}
Expected multiply_add(const Name& name, const Sources& in) {
  const std::string& type = name.type();
  const Integer product = product_of(name, in);
  if (name.has("wide")) {
    const int width = 2 * bits_of_type(type);
    return Expected::bits(masked(static_cast<Bits>(product) + in.of[2], width));
  }
  if (name.has("sat"))
    return of_type(std::clamp(product + integer_of(in.of[2], type), lowest(type), highest(type)),
                   type);
  return of_type(static_cast<Integer>(static_cast<Bits>(product) + in.of[2]), type);
}

// Products of 24-bit numbers have 48 bits: lo is the lower 32 of them, hi the upper 32.
Expected multiply_24(const Name& name, const Sources& in) {
  const auto short_number = [&](Bits bits) {
    const Integer number = masked(bits, 24);
    return name.type() == "s32" && number >> 23 ? number - (1 << 24) : number;
  };
  const Integer product = short_number(in.of[0]) * short_number(in.of[1]);
  Integer result = name.has("hi") ? product >> 16 : product;
  result = integer_of(static_cast<Bits>(result), name.type());
  if (name.opcode() == "mad24") result += integer_of(in.of[2], name.type());
  if (name.has("sat")) result = std::clamp(result, lowest(name.type()), highest(name.type()));
  return of_type(result, name.type());
}

// By zero the result is "unspecified, machine-specific".
Expected divide(const Name& name, const Sources& in) {
  const Integer a = integer_of(in.of[0], name.type()), b = integer_of(in.of[1], name.type());
  if (b == 0) return Expected::nothing();
  return of_type(name.opcode() == "div" ? a / b : a % b, name.type());
}

Expected least_or_most(const Name& name, const Sources& in) {
  const std::string type = name.type().ends_with("x2") ? name.type().substr(0, 3) : name.type();
  const auto one = [&](Bits x, Bits y) {
    const Integer a = integer_of(x, type), b = integer_of(y, type);
    const Integer result = name.opcode() == "min" ? std::min(a, b) : std::max(a, b);
    return masked(static_cast<Bits>(name.has("relu") ? std::max<Integer>(result, 0) : result),
                  bits_of_type(type));
  };
  if (type == name.type()) return Expected::bits(one(in.of[0], in.of[1]));
  return Expected::bits(one(in.of[0], in.of[1]) | one(in.of[0] >> 16, in.of[1] >> 16) << 16);
}

Expected add_pairs(const Name&, const Sources& in) {
  const Bits low = masked(in.of[0] + in.of[1], 16);
  return Expected::bits(low | masked((in.of[0] >> 16) + (in.of[1] >> 16), 16) << 16);
}

Expected sum_of_differences(const Name& name, const Sources& in) {
  const std::string& type = name.type();
  return of_type(magnitude(integer_of(in.of[0], type) - integer_of(in.of[1], type)) +
                     integer_of(in.of[2], type),
                 type);
}

Expected absolute(const Name& name, const Sources& in) {
  return of_type(magnitude(integer_of(in.of[0], name.type())), name.type());
}
Expected negative(const Name& name, const Sources& in) {
  return of_type(-integer_of(in.of[0], name.type()), name.type());
}

Expected dot_product(const Name& name, const Sources& in) {
  const std::string& a_type = name.result_type();
  const std::string& b_type = name.type();
  const bool four = name.opcode() == "dp4a";
  const int a_bits = four ? 8 : 16;
  const bool is_signed = is_signed_type(a_type) || is_signed_type(b_type);
  Integer total = integer_of(in.of[2], is_signed ? "s32" : "u32");
  const Bits b = four || name.has("lo") ? in.of[1] : in.of[1] >> 16;
  for (int i = 0; i < (four ? 4 : 2); ++i) {
    const std::string a_part = a_type.substr(0, 1) + (four ? "8" : "16");
    const std::string b_part = b_type.substr(0, 1) + "8";
    total += integer_of(in.of[0] >> (i * a_bits), a_part) * integer_of(b >> (i * 8), b_part);
  }
  return Expected::bits(masked(static_cast<Bits>(total), 32));
}

// Bytes or halves: their absolute differences, or with .add the sum of these and c.
Expected video_difference(const Name& name, const Sources& in) {
  const int width = name.opcode() == "vabsdiff4" ? 8 : 16;
  Bits differences = 0, total = in.of[2];
  for (int at = 0; at < 32; at += width) {
    const Bits a = masked(in.of[0] >> at, width), b = masked(in.of[1] >> at, width);
    const Bits difference = a < b ? b - a : a - b;
    differences |= difference << at;
    total += difference;
  }
  return Expected::bits(name.has("add") ? masked(total, 32) : differences);
}

} // namespace

Reference integer_reference(const Name& name) {
  const std::string& op = name.opcode();
  if ((op == "vabsdiff2" || op == "vabsdiff4") && !name.has("s32")) return video_difference;
  if (op == "dp4a" || op == "dp2a") return dot_product;
  if (op == "addc" || op == "subc" || op == "madc" || name.has("cc")) return with_carry;
  if (is_float_type(name.type()) || name.type()[0] == 'b') return nullptr;
  if (op == "add" && name.type().ends_with("x2")) return add_pairs;
  if (op == "add" || op == "sub") return add_or_subtract;
  if (op == "mul") return multiply;
  if (op == "mad") return multiply_add;
  if (op == "mul24" || op == "mad24") return multiply_24;
  if (op == "div" || op == "rem") return divide;
  if (op == "min" || op == "max") return least_or_most;
  if (op == "sad") return sum_of_differences;
  if (op == "abs") return absolute;
  if (op == "neg") return negative;
  return nullptr;
}

} // namespace course::emulator::differential
