#include "report/words/shape_words.hpp"

#include "language/translate.hpp"
#include "report/words/by_form.hpp"
#include "report/words/numbers.hpp"

#include <algorithm>
#include <cctype>

namespace course::report {
namespace {

bool is_number(const std::string& text) {
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return !text.empty() && std::all_of(text.begin(), text.end(), digit);
}

// A translation of a shape's words, with its numbers; the shape itself where there is none.
std::string translated(const std::string& shape) {
  if (language::english()) return shape;
  if (const auto said = said_by_form("shape", shape)) return *said;
  // What is added to a label, "the last block first", is a message of its own.
  const auto comma = shape.rfind(", ");
  return comma == shape.npos ? shape
                             : trc("a shape", "{}, {}", translated(shape.substr(0, comma)),
                                   translated(shape.substr(comma + 2)));
}

} // namespace

std::string called(const std::string& shape) {
  return translated(shape);
}

std::string in_words(const std::string& shape) {
  const auto by = shape.find(" x ");
  const bool matrix =
      by != shape.npos && is_number(shape.substr(0, by)) && is_number(shape.substr(by + 3));
  return matrix ? tr("a {} matrix", shape) : translated(shape);
}

bool counts_elements(const std::string& shape, std::uint64_t elements) {
  const language::InEnglish as_it_is_called;
  return shape == counted(elements, "{} element", "{} elements");
}

} // namespace course::report
