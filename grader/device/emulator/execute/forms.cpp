#include "device/emulator/execute/forms.hpp"

#include "device/emulator/execute/small_float_ops.hpp"

namespace course::emulator {

const Forms& forms() {
  static const FormTable all = [] {
    FormTable made;
    add_integer_forms(made);
    add_carry_forms(made);
    add_bit_forms(made);
    add_float_forms(made);
    add_rounded_forms(made);
    add_half_forms(made);
    add_compare_forms(made);
    add_convert_forms(made);
    add_small_float_forms(made);
    return made;
  }();
  return all;
}

FormName::FormName(const char* name) : text(name) {}
FormName::FormName(const std::string& name) : text(name) {}
FormName::~FormName() = default;
FormName::FormName(std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) text += part;
}

void FormTable::insert(const FormName& name, Form form) {
  forms_.insert_or_assign(name.text, std::move(form));
}

void FormTable::insert(const FormName& name, Versions versions, const char* operands, bool pair) {
  insert(name, Form{versions, operands, false, pair});
}

} // namespace course::emulator
