// Forms: every arithmetic instruction that can be executed, by its full name ("add.rn.f32").
//
// A form is a name, the sizes of its operands, and a function over lanes. The decoder looks an
// instruction up by its name; what is not found is refused, so a modifier that is not listed can
// never be ignored by mistake.
#pragma once

#include "device/emulator/lanes.hpp"

#include <string_view>
#include <unordered_map>

namespace course::emulator {

struct Form {
  Versions versions;
  // One letter an operand, result first: b h w d for 1, 2, 4, 8 bytes; p predicate; i immediate.
  std::string operands;
  // How many of the operands' slots the instruction does not name: the carry flag comes last.
  bool carries = false;
  bool pair = false; // the result may be written d|p
};

class Forms {
public:
  template <typename F, typename R, typename... A>
  void add(std::string name) {
    Form form;
    form.versions = lanes<F, R(A...)>();
    form.operands = std::string{letter<R>(), letter<A>()...};
    insert(std::move(name), std::move(form));
  }
  void insert(std::string name, Form form) {
    forms_.insert_or_assign(std::move(name), std::move(form));
  }

  const Form* find(const std::string& name) const {
    const auto found = forms_.find(name);
    return found == forms_.end() ? nullptr : &found->second;
  }
  std::size_t size() const { return forms_.size(); }
  const std::unordered_map<std::string, Form>& all() const { return forms_; }

  template <typename T>
  static constexpr char letter() {
    if constexpr (std::is_same_v<T, Predicate>)
      return 'p';
    else if constexpr (std::is_same_v<T, Immediate>)
      return 'i';
    else
      return sizeof(T) == 1 ? 'b' : sizeof(T) == 2 ? 'h' : sizeof(T) == 4 ? 'w' : 'd';
  }

private:
  std::unordered_map<std::string, Form> forms_;
};

// All of them; made on first use.
const Forms& forms();

// Each defined in the file of its name.
void add_integer_forms(Forms&);
void add_carry_forms(Forms&);
void add_bit_forms(Forms&);
void add_float_forms(Forms&);
void add_rounded_forms(Forms&);
void add_half_forms(Forms&);
void add_compare_forms(Forms&);
void add_convert_forms(Forms&);

} // namespace course::emulator
