// IEEE 754 arithmetic: every result is the exact one, rounded once.
#include "device/emulator/differential/reference.hpp"

namespace course::emulator::differential {
namespace {

Part part_of(const Exact& result, const Name& name, const Format& format) {
  Part part;
  Exact number = result;
  const bool below = number.negative || number.is_zero();
  if (name.has("sat")) { // to [+0, 1], NaN to +0
    if (number.is_nan() || below)
      number = Exact{};
    else if (less(exact(1), number))
      number = exact(1);
  }
  if (number.is_nan()) {
    part.compare = Part::Compare::nan;
    return part;
  }
  if (name.has("relu") && below) number = Exact{};
  part.value = rounded(number, format, rounding_of(name));
  if (name.has("ftz")) part.value = flushed(part.value, format);
  return part;
}

Part arithmetic(const Name& name, const Format& format, Bits a_bits, Bits b_bits, Bits c_bits) {
  const auto source = [&](Bits bits) {
    const Bits number = masked(bits, format.bits);
    return exact(name.has("ftz") ? flushed(number, format) : number, format);
  };
  const Rounding rounding = rounding_of(name);
  const Exact a = source(a_bits), b = source(b_bits), c = source(c_bits);
  const std::string& op = name.opcode();
  if (op == "add") return part_of(sum(a, b, rounding), name, format);
  if (op == "sub") return part_of(sum(a, negated(b), rounding), name, format);
  if (op == "mul") return part_of(product(a, b), name, format);
  if (op == "fma" || op == "mad") return part_of(sum(product(a, b), c, rounding), name, format);
  if (op == "div") return part_of(quotient(a, b), name, format);
  if (op == "rcp") return part_of(quotient(exact(1), a), name, format);
  if (op == "sqrt") return part_of(root(a), name, format);
  if (op == "neg") return part_of(negated(a), name, format);
  Exact magnitude = a; // abs
  magnitude.negative = false;
  return part_of(magnitude, name, format);
}

// The other one where one is a NaN, unless .NaN; -0 is below +0.
Part least_or_most(const Name& name, const Format& format, Bits a_bits, Bits b_bits, Bits) {
  Exact a = exact(masked(a_bits, format.bits), format);
  Exact b = exact(masked(b_bits, format.bits), format);
  if (name.has("ftz")) {
    a = exact(flushed(a_bits, format), format);
    b = exact(flushed(b_bits, format), format);
  }
  const bool sign = ((a_bits ^ b_bits) & format.sign()) != 0;
  if (name.has("abs")) a.negative = b.negative = false;
  Exact chosen;
  if (a.is_nan() || b.is_nan()) {
    chosen = name.has("NaN") ? (a.is_nan() ? a : b) : a.is_nan() ? b : a;
  } else {
    const bool equal_zeros = a.is_zero() && b.is_zero();
    const bool a_less = equal_zeros ? a.negative && !b.negative : less(a, b);
    chosen = a_less == (name.opcode() == "min") ? a : b;
  }
  if (name.has("xorsign")) chosen.negative = sign;
  return part_of(chosen, name, format);
}

// The sign of a, the rest of b.
Part copy_sign(const Name&, const Format& format, Bits a, Bits b, Bits) {
  Part part;
  part.value = (a & format.sign()) | (b & (format.sign() - 1));
  return part;
}

template <Part (*kOne)(const Name&, const Format&, Bits, Bits, Bits)>
Expected each(const Name& name, const Sources& in) {
  Expected expected;
  expected.format = &format_of(name.type());
  const auto [a, b, c, d] = in.of;
  expected.part = kOne(name, *expected.format, a, b, c);
  if (name.type().ends_with("x2"))
    expected.upper = kOne(name, *expected.format, a >> 16, b >> 16, c >> 16);
  return expected;
}

Expected test_property(const Name& name, const Sources& in) {
  const Format& format = format_of(name.type());
  const Exact number = exact(in.of[0], format);
  const bool subnormal = !number.is_zero() && (in.of[0] & format.infinity()) == 0;
  const bool finite = !number.is_nan() && !number.is_infinite();
  const std::string& property = name.modifier(0);
  return Expected::bits(property == "finite"       ? finite
                        : property == "infinite"   ? number.is_infinite()
                        : property == "number"     ? !number.is_nan()
                        : property == "notanumber" ? number.is_nan()
                        : property == "normal"     ? finite && !subnormal // zeros are normal
                                                   : subnormal);
}

} // namespace

Reference float_reference(const Name& name) {
  const std::string& op = name.opcode();
  if (!is_float_type(name.type()) || name.has("approx") || name.has("full")) return nullptr;
  if (op == "min" || op == "max") return each<least_or_most>;
  if (op == "copysign") return each<copy_sign>;
  if (op == "testp") return test_property;
  for (const auto known : {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "neg", "abs"})
    if (op == known) return each<arithmetic>;
  return nullptr;
}

} // namespace course::emulator::differential
