// Any bytes as a student's file beside its skeleton: lines that fit the terminal and do not steer
// it.
#include "progress/line_diff.hpp"
#include "progress/skeleton.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto half = text.find('\0'); // the other text begins behind it
  const auto before = text.substr(0, half);
  const auto after = half == text.npos ? text : text.substr(half + 1);

  report::Terminal terminal;
  terminal.columns = 60;
  const std::string diff = progress::line_diff(before, after, terminal);
  if (before == after && !diff.empty()) __builtin_trap();
  for (const auto& line : report::lines_of(diff))
    if (report::columns(line) > 60 || report::printable(line) != line) __builtin_trap();
  progress::is_skeleton(before, std::string(after));
  progress::emptied(after);
  return 0;
}
