#include "device/emulator/forms.hpp"

namespace course::emulator {

const Forms& forms() {
  static const Forms all = [] {
    Forms made;
    add_integer_forms(made);
    add_carry_forms(made);
    add_bit_forms(made);
    add_float_forms(made);
    add_rounded_forms(made);
    add_half_forms(made);
    add_compare_forms(made);
    add_convert_forms(made);
    return made;
  }();
  return all;
}

} // namespace course::emulator
