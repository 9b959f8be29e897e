// Any bytes as PTX: a syntax tree, or an error that says what and where.
#include "device/code/ptx/parse.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto result = course::ptx::parse(text);
  if (const auto* error = std::get_if<course::ptx::ParseError>(&result)) {
    if (error->message.empty() || error->ptx_line == 0) __builtin_trap();
    if (error->excerpt.size() > 120) __builtin_trap();
  }
  return 0;
}
