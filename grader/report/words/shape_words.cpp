#include "report/words/shape_words.hpp"

#include "language/translate.hpp"
#include "report/words/numbers.hpp"

#include <fmt/args.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace course::report {
namespace {

bool is_number(const std::string& text) {
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return !text.empty() && std::all_of(text.begin(), text.end(), digit);
}

// "3 tiles of 32 x 33" -> "{} tiles of {} x {}", and its numbers.
std::pair<std::string, std::vector<std::string>> without_numbers(const std::string& text) {
  std::pair<std::string, std::vector<std::string>> parts;
  auto& [form, numbers] = parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find_first_not_of("0123456789,", at), text.size());
    auto number = text.substr(at, end - at);
    while (number.ends_with(',')) number.pop_back(); // of the sentence
    const bool word = at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0;
    if (number.empty() || number[0] == ',' || word) {
      form += text[at++];
      continue;
    }
    form += "{}";
    at += number.size();
    numbers.push_back(std::move(number));
  }
  return parts;
}

// A translation of a shape's words, with its numbers; the shape itself where there is none.
std::string translated(const std::string& shape) {
  if (language::english()) return shape;
  const auto [form, numbers] = without_numbers(shape);
  const auto said = language::translated("shape", form.c_str());
  if (said == form) { // what is added to a label, "the last block first", is a message of its own
    const auto comma = shape.rfind(", ");
    if (comma == shape.npos) return shape;
    return trc("a shape", "{}, {}", translated(shape.substr(0, comma)),
               translated(shape.substr(comma + 2)));
  }
  fmt::dynamic_format_arg_store<fmt::format_context> args;
  for (const auto& number : numbers) args.push_back(number);
  return fmt::vformat(said, args);
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
