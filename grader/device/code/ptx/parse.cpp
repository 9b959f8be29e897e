#include "device/code/ptx/parse.hpp"

#include "device/code/ptx/parser.hpp"

#include <algorithm>

namespace course::ptx {

void Parser::fail(std::string message) const {
  throw SyntaxError{std::move(message), token_.line};
}

void Parser::fail_expected(std::string_view what) const {
  constexpr std::size_t kLongest = 60;
  const bool at_end = token_.kind == Token::Kind::end;
  const std::string found = at_end ? "found the end of the text"
                                   : fmt::format("found '{}'", token_.text.substr(0, kLongest));
  fail(fmt::format("expected {}, {}", what, found));
}

void Parser::advance() {
  token_ = lexer_.next();
  if (token_.kind != Token::Kind::invalid) return;
  if (token_.text == "/*") fail("this comment is not closed");
  if (token_.text == "\"") fail("this string is not closed");
  fail(fmt::format("PTX has no character '{}' here", token_.text));
}

bool Parser::accept(char c) {
  if (!token_.is(c)) return false;
  advance();
  return true;
}

bool Parser::accept_directive(std::string_view name) {
  if (!token_.is_directive(name)) return false;
  advance();
  return true;
}

void Parser::expect(char c, std::string_view where) {
  if (!accept(c)) fail_expected(fmt::format("'{}' {}", c, where));
}

std::string_view Parser::take_word(std::string_view what) {
  if (token_.kind != Token::Kind::word) fail_expected(what);
  const std::string_view word = token_.text;
  advance();
  return word;
}

std::string Parser::take_string(std::string_view what) {
  if (token_.kind != Token::Kind::string) fail_expected(what);
  std::string text;
  const std::string_view inside = token_.text.substr(1, token_.text.size() - 2);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '\\' && i + 1 < inside.size()) ++i;
    text += inside[i];
  }
  advance();
  return text;
}

// .version 9.0 .target sm_90a, texmode_independent .address_size 64, in this order.
void Parser::header() {
  if (!accept_directive(".version")) fail_expected("'.version' at the start of a module");
  if (token_.kind != Token::Kind::number) fail_expected("a version number");
  module_.version = token_.text;
  advance();
  if (!accept_directive(".target")) fail_expected("'.target' after the version");
  module_.target = take_word("the name of a target");
  while (accept(',')) take_word("a target option");
  if (accept_directive(".address_size") && count("an address size") != 64) {
    fail("only 64-bit addresses are known here");
  }
}

Module Parser::module() {
  header();
  while (token_.kind != Token::Kind::end) statement();
  check_symbols();
  resolve_locations();
  return std::move(module_);
}

void Parser::statement() {
  Linkage linkage;
  for (;;) {
    if (accept_directive(".extern")) {
      linkage.is_extern = true;
    } else if (!accept_directive(".visible") && !accept_directive(".weak") &&
               !accept_directive(".common")) {
      break;
    }
  }
  if (token_.is_directive(".entry") || token_.is_directive(".func")) return function();
  if (accept_directive(".global")) return variables(Space::global, linkage);
  if (accept_directive(".const")) return variables(Space::constant, linkage);
  if (accept_directive(".shared")) return variables(Space::shared, linkage);
  if (accept_directive(".local")) return variables(Space::local, linkage);
  if (accept_directive(".file")) return file();
  if (accept_directive(".section")) return section();
  if (accept_directive(".alias")) return alias();
  if (accept_directive(".pragma")) return pragma();
  if (accept(';')) return;
  if (token_.kind == Token::Kind::directive) {
    fail(fmt::format("'{}' is not supported at module level", token_.text));
  }
  fail_expected("a directive");
}

void Parser::alias() {
  const std::uint32_t line = token_.line;
  const std::string_view name = take_word("the name of an alias");
  expect(',', "after the alias");
  const std::string_view target = take_word("the function that the alias stands for");
  expect(';', "after the alias");
  uses_.push_back({target, line, true});
  module_.aliases[std::string(name)] = target;
}

void Parser::check_symbols() const {
  for (const Use& use : uses_) {
    const auto found = names_.find(use.name);
    if (found == names_.end()) {
      throw SyntaxError{fmt::format("'{}' is not declared", use.name), use.line};
    }
    if (use.must_be_function && !found->second.is_function) {
      throw SyntaxError{fmt::format("'{}' is not a function", use.name), use.line};
    }
  }
}

namespace {

// The numbered line, without blanks around it and with only printable characters in it.
std::string excerpt(std::string_view text, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', begin);
    if (end == text.npos) break;
    begin = end + 1;
  }
  std::string_view all = text.substr(begin, text.find('\n', begin) - begin);
  const std::size_t first = std::min(all.find_first_not_of(" \t\r"), all.size());
  constexpr std::size_t kLongest = 120;
  std::string result(all.substr(first, kLongest));
  while (!result.empty() && (result.back() == ' ' || result.back() == '\r')) result.pop_back();
  for (char& c : result) {
    if (c < ' ' || c > '~') c = c == '\t' ? ' ' : '?';
  }
  return result;
}

} // namespace

std::variant<Module, ParseError> parse(std::string_view text) {
  try {
    return Parser(text).module();
  } catch (const SyntaxError& error) {
    return ParseError{error.message, error.line, excerpt(text, error.line)};
  }
}

} // namespace course::ptx
