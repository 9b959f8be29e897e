// Forms: every arithmetic instruction that can be executed, by its full name ("add.rn.f32").
//
// A form is a name, the sizes of its operands, and a function over lanes. The decoder looks an
// instruction up by its name; what is not found is refused, so a modifier that is not listed can
// never be ignored by mistake.
#pragma once

#include "device/emulator/state/lanes.hpp"

#include <initializer_list>
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

// A name, or the parts that it is put together from. Out of line, as everything about registering
// is: it is done once, and there are thousands.
struct FormName {
  FormName(const char* name);
  FormName(const std::string& name);
  FormName(std::initializer_list<std::string_view> parts);
  ~FormName();
  std::string text;
};

class Forms {
public:
  template <typename F, typename R, typename... A>
  void add(const FormName& name) {
    insert(name, lanes<F, R(A...)>(), kLetters<R, A...>);
  }
  // Of an instruction that programs seldom have: slower, and made of one function, not of two with
  // two loops each. There are thousands, and compiling them is what newcomers wait for.
  template <typename F, typename R, typename... A>
  void add_rare(const FormName& name) {
    using Loop = Lanes<F, R(A...)>;
    insert(name, {Loop::any, Loop::any}, kLetters<R, A...>);
  }
  void insert(const FormName& name, Form form);
  void insert(const FormName& name, Versions, const char* operands, bool pair = false);

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
  template <typename... T>
  static constexpr char kLetters[] = {letter<T>()..., 0};

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
