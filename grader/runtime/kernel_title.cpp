#include "runtime/kernel_title.hpp"

#include "runtime/plain_text.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace course::runtime {

namespace {

std::string demangled(const std::string& name) {
  // The demangler recurses; a name this long is hostile.
  if (name.size() > 1000 || name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

// "void f<3>(int*)" as "f<3>". Only parentheses and spaces outside of <> count.
std::string bare(const std::string& signature) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const char c = signature[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (depth == 0 && c == ' ') begin = i + 1;
    const bool anonymous = signature.compare(i, 11, "(anonymous ") == 0;
    if (depth == 0 && c == '(' && !anonymous && i > begin) {
      return signature.substr(begin, i - begin);
    }
    if (anonymous) i = signature.find(')', i);
    if (i == std::string::npos) break;
  }
  return signature;
}

} // namespace

std::string kernel_title(const std::string& mangled) {
  return plain_text(bare(demangled(mangled)));
}

} // namespace course::runtime
