#include "device/emulator/inspect/variable_name.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace course::emulator {
namespace {

// The demangler recurses, and a short name can stand for a very long one.
constexpr std::size_t kLongestMangled = 1000;

} // namespace

std::string variable_name(const std::string& mangled) {
  // An array of one element becomes a scalar with a suffix: "…E1s_$_0".
  const std::string plain = mangled.substr(0, mangled.find("_$_"));
  // Of module scope a name is not mangled, and the demangler takes "y" or "i" for a type's code.
  if (!plain.starts_with("_Z") || plain.size() > kLongestMangled) return plain;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status), std::free);
  const std::string name = status == 0 && text ? text.get() : plain;
  // "transpose_tile(float*, float const*, int, int)::tile"
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

} // namespace course::emulator
