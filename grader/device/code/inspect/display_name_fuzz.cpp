// Any bytes as a mangled name: something that is safe to print.
#include "device/code/inspect/display_name.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view name(reinterpret_cast<const char*>(bytes), size);
  const std::string shown = course::code::display_name(name);
  if (shown.size() > 500) __builtin_trap();
  for (const char c : shown)
    if (c < ' ' || c > '~') __builtin_trap();
  return 0;
}
