// Any bytes as the source file that a verdict quotes.
#include "report/quote.hpp"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  using enum model::RequestKind;
  for (const auto access : {shared_load, shared_store, global_load, local_store})
    for (std::uint32_t line = 0; line < 6; ++line)
      report::underline(text, line, model::use_of(access));
  if (report::printable(report::printable(text)) != report::printable(text)) __builtin_trap();
  return 0;
}
