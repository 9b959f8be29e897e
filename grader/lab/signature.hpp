// The launcher's signature, as an exercise's data have it: "void sums(int* out, const int* in, int
// n)".
#pragma once

#include "lab/exercise.hpp"

#include <string>
#include <variant>
#include <vector>

namespace course::lab {

struct Parameter {
  std::string name; // "in"
  bool pointer = false;
  bool output = false;   // a pointer that is not to const
  bool real = false;     // a float that is no pointer; other values are ints
  Type type = Type::f32; // of what a pointer leads to; a struct, or a float4, is floats
};

struct Signature {
  std::string function; // as c++filt prints it: "sums(int*, int const*, int)"
  std::vector<Parameter> parameters;
};

// Or one sentence about what is not understood. There is one output.
std::variant<Signature, std::string> parse_signature(const std::string& text);

} // namespace course::lab
