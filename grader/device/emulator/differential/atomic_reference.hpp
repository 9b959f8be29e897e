// References of atomics: what one lane's turn makes of a word, and which orders of turns explain
// what was seen. The ISA leaves the order open, so the references ask for no particular one.
#pragma once

#include "device/emulator/differential/reference.hpp"

#include <string>
#include <vector>

namespace course::emulator::differential {

struct Turn {
  Bits operand = 0, with = 0; // b, and c of cas
  bool returned = false;      // the old value was asked for, and was `old`
  Bits old = 0;
};

struct AtomicForm {
  std::string operation; // "add.noftz"
  std::string type;      // "f16x2"
  std::string full() const { return operation + "." + type; }
  // The new value. `global`: sums of f32 flush subnormal numbers there, and only there.
  Bits after(Bits old, const Turn&, bool global) const;
  bool same(Bits a, Bits b) const; // any two NaNs are
  bool is_reduction() const { return operation != "exch" && operation != "cas"; }
};
const std::vector<AtomicForm>& atomic_forms();

// Whether the turns, in some order, lead from `before` to `after` and return what they returned.
bool explained(const AtomicForm&, std::vector<Turn>, Bits before, Bits after, bool global);

} // namespace course::emulator::differential
