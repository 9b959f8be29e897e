// References: what one lane of an instruction must give, by its full name ("add.rm.ftz.f32").
//
// Written from the PTX ISA 9.0, separately from the interpreter: a name is taken apart at its dots
// and evaluated on one lane's bits. What the ISA leaves open is not compared.
#pragma once

#include "device/emulator/differential/exact.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course::emulator::differential {

class Name {
public:
  explicit Name(std::string_view full);
  const std::string& full() const { return full_; }
  const std::string& opcode() const { return parts_[0]; }
  bool has(std::string_view modifier) const;
  std::size_t modifiers() const { return parts_.size() - 1; }
  const std::string& modifier(std::size_t i) const { return parts_[i + 1]; }
  // The last type of the name, and the one before it: of cvt, the result's.
  const std::string& type() const { return parts_[type_]; }
  const std::string& result_type() const { return parts_[type_ - 1]; }

private:
  std::string full_;
  std::vector<std::string> parts_;
  std::size_t type_ = 0;
};

struct Sources {
  std::array<Bits, 4> of{}; // in the order of the PTX operands, zero-extended; predicates 0 or 1
  Bits immediate = 0;
  bool carry = false; // CC.CF before; of subtractions, the borrow
};

// The result, whole or in two halves that are compared each by itself.
struct Part {
  enum class Compare { bits, nan, within, nothing } compare = Compare::bits;
  Bits value = 0;
  long double low = 0, high = 0;
};
struct Expected {
  Part part;                 // low half, of an instruction on pairs
  std::optional<Part> upper; // high half
  const Format* format = nullptr;
  Bits care = ~Bits{0};  // bits of the result that the ISA defines
  bool carry = false;    // CC.CF afterwards
  bool opposite = false; // setp's second result

  static Expected bits(Bits value) {
    Expected result;
    result.part.value = value;
    return result;
  }
  static Expected nothing() {
    Expected result;
    result.part.compare = Part::Compare::nothing;
    return result;
  }
};

// nullptr when no reference is written for it.
using Reference = Expected (*)(const Name&, const Sources&);
Reference reference_of(const Name&);

// "s32", "b16", "pred"
bool is_float_type(std::string_view type);
bool is_signed_type(std::string_view type);
int bits_of_type(std::string_view type);
const Format& format_of(std::string_view type);
__int128 integer_of(Bits, std::string_view type);
Bits masked(Bits, int bits);
Rounding rounding_of(const Name&);
Bits flushed(Bits, const Format&);

// One in each file of their names.
Reference integer_reference(const Name&);
Reference bit_reference(const Name&);
Reference float_reference(const Name&);
Reference approximate_reference(const Name&);
Reference compare_reference(const Name&);
Reference convert_reference(const Name&);

} // namespace course::emulator::differential
