#include "device/code/inspect/display_name.hpp"

#include "system/demangled.hpp"

namespace course::code {
namespace {

constexpr std::size_t kLongestName = 500;
constexpr std::string_view kAnonymous = "(anonymous namespace)";

// "void lab::f<3, &(g(int))>(int*)" as "lab::f<3, &(g(int))>": from the last blank to the first
// parenthesis that are in no brackets.
std::string_view without_signature(std::string_view text) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
      continue;
    }
    const char c = text[i];
    if (c == '(' && depth == 0) return text.substr(begin, i - begin);
    if (c == ' ' && depth == 0) begin = i + 1;
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
  }
  return text;
}

} // namespace

std::string display_name(std::string_view mangled) {
  const std::string full = system::demangled(mangled);
  std::string name(without_signature(full).substr(0, kLongestName));
  if (name.empty()) name = mangled.substr(0, kLongestName);
  for (char& c : name) {
    if (c < ' ' || c > '~') c = '?';
  }
  return name;
}

} // namespace course::code
