#include "lab/label.hpp"

#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <regex>

namespace course::lab {
namespace {

std::string filled(const std::string& hole, Scope& scope) {
  if (!hole.empty() && hole.back() == ',')
    return report::thousands(scope.whole(hole.substr(0, hole.size() - 1)));
  const auto colon = hole.find(':');
  if (colon == hole.npos) return std::to_string(scope.whole(hole));
  const auto value = scope.whole(hole.substr(0, colon));
  const auto nouns = hole.substr(colon + 1);
  const auto slash = nouns.find('/');
  const auto one = nouns.substr(0, slash);
  const auto many = slash == nouns.npos ? fmt::format("{}s", one) : nouns.substr(slash + 1);
  return fmt::format("{} {}", report::thousands(value), value == 1 ? one : many);
}

} // namespace

std::string label_of(const std::string& form, Scope& scope) {
  std::string text;
  for (std::size_t at = 0; at < form.size();) {
    const auto open = form.find('{', at);
    text += form.substr(at, open - at);
    if (open == form.npos) break;
    const auto close = form.find('}', open);
    if (close == form.npos)
      throw FormulaError(fmt::format("`{}` has an opening brace without its closing one", form));
    text += filled(form.substr(open + 1, close - open - 1), scope);
    at = close + 1;
  }
  return text;
}

bool is_of_matrix(const std::string& form) {
  static const std::regex kTwoNumbers(R"(\{[^{}:,]+\} x \{[^{}:,]+\})");
  return std::regex_match(form, kTwoNumbers);
}

} // namespace course::lab
