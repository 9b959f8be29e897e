#include "device/code/inspect/variable_name.hpp"

#include "system/demangled.hpp"

namespace course::code {

std::string variable_name(const std::string& mangled) {
  // An array of one element becomes a scalar with a suffix: "…E1s_$_0".
  const std::string plain = mangled.substr(0, mangled.find("_$_"));
  // Of module scope a name is not mangled, and the demangler takes "y" or "i" for a type's code.
  if (!plain.starts_with("_Z")) return plain;
  const std::string name = system::demangled(plain);
  // "transpose_tile(float*, float const*, int, int)::tile"
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

} // namespace course::code
