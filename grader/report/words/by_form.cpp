#include "report/words/by_form.hpp"

#include "language/translate.hpp"

#include <fmt/args.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace course::report {
namespace {

constexpr const char* kDigits = "0123456789,";
constexpr const char* kHexadecimal = "0123456789abcdef";

bool is_in_word(char c) { // or a digit of H200
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::size_t end_of(std::string_view text, const char* of, std::size_t from) {
  return std::min(text.find_first_not_of(of, from), text.size());
}

// "3 tiles of 32 x 33" -> "{} tiles of {} x {}", and what stood there.
struct Form {
  std::string text;
  std::vector<std::string> parts;
  bool is_plain = true; // without a brace that would be taken for the place of a part
};

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}
  Form form() {
    while (at_ < text_.size())
      if (!take_name() && !take_number()) copy(text_[at_++]);
    return std::move(made_);
  }

private:
  void copy(char c) {
    made_.text += c;
    if (c == '{' || c == '}') made_.is_plain = false;
  }
  bool in_word() const { return at_ > 0 && is_in_word(text_[at_ - 1]); }
  void take(std::size_t end) {
    made_.text += "{}";
    made_.parts.emplace_back(text_.substr(at_, end - at_));
    at_ = end;
  }
  // 'name' or `name`, and no apostrophe.
  bool take_name() {
    const char quote = text_[at_];
    if ((quote != '\'' && quote != '`') || in_word()) return false;
    const auto end = text_.find(quote, at_ + 1);
    if (end == text_.npos || end == at_ + 1) return false;
    made_.text += quote;
    ++at_;
    take(end);
    made_.text += quote;
    ++at_;
    return true;
  }
  bool take_number() {
    if (in_word()) return false;
    if (text_.substr(at_).starts_with("0x")) {
      take(end_of(text_, kHexadecimal, at_ + 2));
      return true;
    }
    auto end = end_of(text_, kDigits, at_);
    while (end > at_ && text_[end - 1] == ',') --end; // of the sentence
    if (end == at_ || text_[at_] == ',') return false;
    take(end);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Form made_;
};

// Where a clause ends, ": " or "; ", or ", found ": few, as a program's own words may have any
// number of them.
std::vector<std::size_t> ends_of_clauses(std::string_view text, std::size_t most) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i + 1 < text.size() && ends.size() < most; ++i)
    if (text[i + 1] == ' ' && (text[i] == ':' || text[i] == ';' ||
                               (text[i] == ',' && text.substr(i + 2).starts_with("found "))))
      ends.push_back(i);
  return ends;
}

std::string joined(const std::string& clause, char mark, const std::string& rest) {
  return mark == ':'   ? tr("{0}: {1}", clause, rest)
         : mark == ';' ? tr("{0}; {1}", clause, rest)
                       : tr("{0}, {1}", clause, rest);
}

// As much of its beginning as has a translation, and then the rest; nothing where none of it has.
std::optional<std::string> said(const std::string& text, std::size_t clauses) {
  if (auto whole = said_by_form("a refusal", text)) return whole;
  const auto ends = ends_of_clauses(text, clauses);
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    const auto begun = said_by_form("a refusal", text.substr(0, *end));
    if (!begun) continue;
    const auto rest = text.substr(*end + 2);
    return joined(*begun, text[*end], said(rest, clauses - 1).value_or(rest));
  }
  if (ends.empty()) return std::nullopt;
  const auto rest = said(text.substr(ends[0] + 2), clauses - 1);
  if (!rest) return std::nullopt;
  return joined(text.substr(0, ends[0]), text[ends[0]], *rest);
}

} // namespace

std::optional<std::string> said_by_form(const char* context, const std::string& text) {
  const auto [form, parts, is_plain] = Reader(text).form();
  if (!is_plain) return std::nullopt;
  const auto said = language::translated(context, form.c_str());
  if (said == form) return std::nullopt;
  fmt::dynamic_format_arg_store<fmt::format_context> args;
  for (const auto& part : parts) args.push_back(part);
  return fmt::vformat(said, args);
}

std::string reason_in_words(const std::string& text) {
  constexpr std::size_t kMostClauses = 8;
  return said(text, kMostClauses).value_or(text);
}

std::string compiler_in_words(std::string_view text) {
  std::string all;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    all += reason_in_words(std::string(line));
    text.remove_prefix(line.size());
    if (text.empty()) break;
    all += '\n';
    text.remove_prefix(1);
  }
  return all;
}

std::string call_in_words(const std::string& call) {
  const auto end = call.find(' ');
  if (end == call.npos) return call;
  return trc("a call", "{} {}", call.substr(0, end), reason_in_words(call.substr(end + 1)));
}

} // namespace course::report
