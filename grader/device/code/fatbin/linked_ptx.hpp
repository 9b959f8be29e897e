// Relocatable PTX of several translation units (nvcc -rdc=true) as one module, as nvlink makes one
// of their machine code.
//
// A name that is extern in one unit is what another defines; of weak functions (templates, inline)
// one is kept; what is internal to two units gets two names. Source lines keep their files.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace course::code {

struct LinkedPtx {
  std::string text;
};
// The module; or why it cannot be: two units define one name.
std::variant<LinkedPtx, std::string> link_ptx(const std::vector<std::string>& units);

} // namespace course::code
