// How forms (decode/instruction_set.hpp) are made and found.
#pragma once

#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/execute/lane_loops.hpp"

#include <initializer_list>
#include <string_view>

namespace course::emulator {

// A name, or the parts that it is put together from. Out of line, as everything about registering
// is: it is done once, and there are thousands.
struct FormName {
  FormName(const char* name);
  FormName(const std::string& name);
  FormName(std::initializer_list<std::string_view> parts);
  ~FormName();
  std::string text;
};

// Where the files of arithmetic put their forms.
class FormTable : public Forms {
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
};

// Each defined in the file of its name.
void add_integer_forms(FormTable&);
void add_carry_forms(FormTable&);
void add_bit_forms(FormTable&);
void add_float_forms(FormTable&);
void add_rounded_forms(FormTable&);
void add_half_forms(FormTable&);
void add_compare_forms(FormTable&);
void add_convert_forms(FormTable&);

} // namespace course::emulator
