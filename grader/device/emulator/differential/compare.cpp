// set and setp: comparisons of numbers, some of which are not.
#include "device/emulator/differential/reference.hpp"

namespace course::emulator::differential {
namespace {

enum class Order { below, equal, above, unordered };

Order order_of(const Name& name, const Sources& in) {
  const std::string& type = name.type();
  if (!is_float_type(type)) {
    const __int128 a = integer_of(in.of[0], type), b = integer_of(in.of[1], type);
    return a < b ? Order::below : a == b ? Order::equal : Order::above;
  }
  const Format& format = format_of(type);
  const auto source = [&](Bits bits) {
    return exact(name.has("ftz") ? flushed(bits, format) : bits, format);
  };
  const Exact a = source(in.of[0]), b = source(in.of[1]);
  if (a.is_nan() || b.is_nan()) return Order::unordered;
  return less(a, b) ? Order::below : less(b, a) ? Order::above : Order::equal;
}

bool holds(std::string_view comparison, Order order) {
  const bool unordered = order == Order::unordered;
  if (comparison == "num") return !unordered;
  if (comparison == "nan") return unordered;
  if (comparison == "lo" || comparison == "ls" || comparison == "hi" || comparison == "hs") {
    if (comparison == "lo") return order == Order::below;
    if (comparison == "ls") return order != Order::above;
    return comparison == "hi" ? order == Order::above : order != Order::below;
  }
  // equ, ltu …: true as well when a source is a NaN.
  if (unordered) return comparison.size() == 3;
  const std::string_view plain = comparison.substr(0, 2);
  if (plain == "eq") return order == Order::equal;
  if (plain == "ne") return order != Order::equal;
  if (plain == "lt") return order == Order::below;
  if (plain == "le") return order != Order::above;
  return plain == "gt" ? order == Order::above : order != Order::below;
}

bool combined(const Name& name, bool comparison, bool with) {
  if (name.has("and")) return comparison && with;
  if (name.has("or")) return comparison || with;
  if (name.has("xor")) return comparison != with;
  return comparison;
}

Expected set_predicates(const Name& name, const Sources& in) {
  const bool compared = holds(name.modifier(0), order_of(name, in));
  Expected expected = Expected::bits(combined(name, compared, in.of[2]));
  expected.opposite = combined(name, !compared, in.of[2]);
  return expected;
}
// A true comparison is 1 in the format of the result, or all ones in an integer. Of a pair, each
// half is compared by itself and has a half of the result.
Bits number_of(const Name& name, const Sources& in) {
  if (!combined(name, holds(name.modifier(0), order_of(name, in)), in.of[2])) return 0;
  const std::string& result = name.result_type();
  if (result == "f32") return 0x3f800000;
  if (result.starts_with("f16")) return 0x3c00;
  return result.starts_with("bf16") ? 0x3f80 : masked(~Bits{0}, bits_of_type(result));
}
Expected set_number(const Name& name, const Sources& in) {
  if (!name.type().ends_with("x2")) return Expected::bits(number_of(name, in));
  Sources lower = in, upper = in;
  for (Bits& bits : lower.of) bits &= 0xffff;
  for (Bits& bits : upper.of) bits >>= 16;
  return Expected::bits((number_of(name, lower) & 0xffff) | (number_of(name, upper) & 0xffff)
                                                                << 16);
}

} // namespace

Reference compare_reference(const Name& name) {
  if (name.opcode() == "setp") return set_predicates;
  return name.opcode() == "set" ? set_number : nullptr;
}

} // namespace course::emulator::differential
