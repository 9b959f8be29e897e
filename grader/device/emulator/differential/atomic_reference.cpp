#include "device/emulator/differential/atomic_reference.hpp"

namespace course::emulator::differential {
namespace {

Bits sum_of(Bits a, Bits b, const Format& format, bool flush) {
  if (flush) {
    a = flushed(a, format);
    b = flushed(b, format);
  }
  const Exact made = sum(exact(a, format), exact(b, format), Rounding::to_nearest);
  const Bits result = rounded(made, format, Rounding::to_nearest);
  return flush ? flushed(result, format) : result;
}

bool explained_from(const AtomicForm& form, std::vector<Turn>& left, Bits now, Bits after,
                    bool global) {
  if (left.empty()) return form.same(now, after);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Turn turn = left[i];
    if (turn.returned && !form.same(now, turn.old)) continue;
    left[i] = left.back();
    left.pop_back();
    // What was seen is what the next one begins with, down to the bits of a NaN.
    const bool found = explained_from(
        form, left, form.after(turn.returned ? turn.old : now, turn, global), after, global);
    left.push_back(left.size() > i ? left[i] : turn);
    left[i] = turn;
    if (found) return true;
  }
  return false;
}

} // namespace

Bits AtomicForm::after(Bits old, const Turn& turn, bool global) const {
  const int bits = bits_of_type(type);
  const Bits b = turn.operand;
  if (operation == "exch") return b;
  if (operation == "cas") return old == b ? turn.with : old;
  if (operation == "and") return old & b;
  if (operation == "or") return old | b;
  if (operation == "xor") return old ^ b;
  if (operation == "inc") return old >= b ? 0 : old + 1;
  if (operation == "dec") return old == 0 || old > b ? b : old - 1;
  if (operation == "min") return integer_of(old, type) < integer_of(b, type) ? old : b;
  if (operation == "max") return integer_of(old, type) > integer_of(b, type) ? old : b;
  if (!is_float_type(type)) return masked(old + b, bits);
  const Format& format = format_of(type);
  if (!type.ends_with("x2")) return sum_of(old, b, format, type == "f32" && global);
  return sum_of(old & 0xffff, b & 0xffff, format, false) | sum_of(old >> 16, b >> 16, format, false)
                                                               << 16;
}

bool AtomicForm::same(Bits a, Bits b) const {
  if (!is_float_type(type)) return a == b;
  const Format& format = format_of(type);
  const auto alike = [&](Bits x, Bits y) {
    return x == y || (exact(x, format).is_nan() && exact(y, format).is_nan());
  };
  if (!type.ends_with("x2")) return alike(a, b);
  return alike(a & 0xffff, b & 0xffff) && alike(a >> 16, b >> 16);
}

const std::vector<AtomicForm>& atomic_forms() {
  static const std::vector<AtomicForm> all = [] {
    std::vector<AtomicForm> made;
    for (const std::string bits : {"32", "64"}) {
      for (const char* operation : {"and", "or", "xor", "exch", "cas"})
        made.push_back({operation, "b" + bits});
      for (const char* operation : {"add", "min", "max"})
        for (const char* sign : {"u", "s"}) made.push_back({operation, sign + bits});
      made.push_back({"add", "f" + bits});
    }
    made.push_back({"inc", "u32"});
    made.push_back({"dec", "u32"});
    made.push_back({"cas", "b16"});
    for (const char* type : {"f16", "f16x2", "bf16", "bf16x2"}) made.push_back({"add.noftz", type});
    return made;
  }();
  return all;
}

bool explained(const AtomicForm& form, std::vector<Turn> turns, Bits before, Bits after,
               bool global) {
  return explained_from(form, turns, before, after, global);
}

} // namespace course::emulator::differential
