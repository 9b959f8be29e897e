// Any bytes as a file of access patterns: rows that the model can count, or errors with their line.
#include "cli/banks/pattern_file.hpp"

#include <cstddef>
#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course::cli;
  std::istringstream stream(std::string(reinterpret_cast<const char*>(bytes), size));
  const auto parsed = parse_patterns(stream);
  for (const auto& error : parsed.errors)
    if (error.message.empty()) __builtin_trap();
  if (parsed.errors.size() > ParsedPatterns::kMostErrors) __builtin_trap();
  if (parsed.errors.empty()) with_results(parsed.file);
  return 0;
}
