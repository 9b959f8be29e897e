#include "report/words/by_form.hpp"

#include "language/translate.hpp"

#include <fmt/args.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace course::report {
namespace {

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

} // namespace

std::optional<std::string> said_by_form(const char* context, const std::string& text) {
  const auto [form, numbers] = without_numbers(text);
  const auto said = language::translated(context, form.c_str());
  if (said == form) return std::nullopt;
  fmt::dynamic_format_arg_store<fmt::format_context> args;
  for (const auto& number : numbers) args.push_back(number);
  return fmt::vformat(said, args);
}

} // namespace course::report
