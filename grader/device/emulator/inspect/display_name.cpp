#include "device/emulator/inspect/display_name.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace course::emulator {
namespace {

// The demangler recurses, and a short name can stand for a very long one.
constexpr std::size_t kLongestMangled = 1000;
constexpr std::size_t kLongest = 500;
constexpr std::string_view kAnonymous = "(anonymous namespace)";

std::string demangled(const std::string& name) {
  if (name.size() > kLongestMangled || !name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

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
  const std::string full = demangled(std::string(mangled));
  std::string name(without_signature(full).substr(0, kLongest));
  if (name.empty()) name = mangled.substr(0, kLongest);
  for (char& c : name) {
    if (c < ' ' || c > '~') c = '?';
  }
  return name;
}

} // namespace course::emulator
