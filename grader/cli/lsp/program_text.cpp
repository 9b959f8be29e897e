#include "cli/lsp/program_text.hpp"

#include <algorithm>
#include <cctype>

namespace course::cli {
namespace {

bool in_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Past a string or a character that begins here.
std::size_t after_quotes(std::string_view source, std::size_t at) {
  const char quote = source[at++];
  while (at < source.size() && source[at] != quote && source[at] != '\n')
    at += source[at] == '\\' ? 2 : 1;
  return std::min(at + 1, source.size());
}

// Past a comment that begins here; `at` itself where none does.
std::size_t after_comment(std::string_view source, std::size_t at) {
  const auto two = source.substr(at, 2);
  if (two != "//" && two != "/*") return at;
  const auto end = two == "//" ? source.find('\n', at) : source.find("*/", at + 2);
  if (end == source.npos) return source.size();
  return two == "//" ? end : end + 2;
}

} // namespace

bool has_main(std::string_view source) {
  std::string_view before, word; // the last two names, with nothing but blanks between them
  for (std::size_t at = 0; at < source.size();) {
    if (const auto end = after_comment(source, at); end != at) {
      at = end;
    } else if (source[at] == '\'' && at > 0 && in_a_name(source[at - 1])) {
      ++at; // of a number: 1'000
    } else if (source[at] == '"' || source[at] == '\'') {
      at = after_quotes(source, at);
      before = word = {};
    } else if (in_a_name(source[at])) {
      const auto begin = at;
      while (at < source.size() && in_a_name(source[at])) ++at;
      before = word;
      word = source.substr(begin, at - begin);
    } else {
      if (source[at] == '(' && word == "main" && (before == "int" || before == "auto")) return true;
      if (!std::isspace(static_cast<unsigned char>(source[at]))) before = word = {};
      ++at;
    }
  }
  return false;
}

} // namespace course::cli
