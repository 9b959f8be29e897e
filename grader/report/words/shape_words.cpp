#include "report/words/shape_words.hpp"

#include <algorithm>
#include <cctype>

namespace course::report {
namespace {

bool is_number(const std::string& text) {
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return !text.empty() && std::all_of(text.begin(), text.end(), digit);
}

} // namespace

std::string in_words(const std::string& shape) {
  const auto by = shape.find(" x ");
  const bool matrix =
      by != shape.npos && is_number(shape.substr(0, by)) && is_number(shape.substr(by + 3));
  return matrix ? "a " + shape + " matrix" : shape;
}

} // namespace course::report
