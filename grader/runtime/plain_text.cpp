#include "runtime/plain_text.hpp"

namespace course::runtime {

std::string plain_text(std::string_view text) {
  constexpr std::size_t kMost = 500;
  std::string plain;
  for (const char c : text.substr(0, kMost)) plain += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > kMost) plain += "...";
  return plain;
}

} // namespace course::runtime
