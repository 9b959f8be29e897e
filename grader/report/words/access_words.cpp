#include "report/words/access_words.hpp"

#include "language/translate.hpp"

#include <algorithm>

namespace course::report {

namespace {

using language::marked;

// What translators see: the names of accesses without their widths.
[[maybe_unused]] constexpr const char* kPlainAccesses[] = {
    marked("access", "shared load"),        marked("access", "shared store"),
    marked("access", "global load"),        marked("access", "global store"),
    marked("access", "constant load"),      marked("access", "dshared load"),
    marked("access", "dshared store"),      marked("access", "surface load"),
    marked("access", "surface store"),      marked("access", "bulk dshared store"),
    marked("access", "bulk global load"),   marked("access", "bulk global store"),
    marked("access", "tensor global load"), marked("access", "tensor global store")};

} // namespace

std::string access_words(const model::RequestType& kind) {
  std::string text = name_of(kind);
  std::ranges::replace(text, '_', ' ');
  const auto width = text.find_last_not_of(" 0123456789") + 1;
  return language::translated("access", text.substr(0, width).c_str()) + text.substr(width);
}

} // namespace course::report
