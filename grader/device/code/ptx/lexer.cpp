#include "device/code/ptx/lexer.hpp"

#include <array>

namespace course::ptx {
namespace {

enum Character : std::uint8_t { other, blank, letter, digit, mark };

constexpr std::array<Character, 256> classes() {
  std::array<Character, 256> result{};
  for (const char c : {' ', '\t', '\r', '\n', '\f', '\v'})
    result[static_cast<unsigned char>(c)] = blank;
  for (int c = 'a'; c <= 'z'; ++c) result[c] = letter;
  for (int c = 'A'; c <= 'Z'; ++c) result[c] = letter;
  for (int c = '0'; c <= '9'; ++c) result[c] = digit;
  for (const char c : {'_', '$', '%'}) result[static_cast<unsigned char>(c)] = letter;
  for (const char c : std::string_view("{}()[]<>,;:|@!+-*/&^~=?")) {
    result[static_cast<unsigned char>(c)] = mark;
  }
  return result;
}
constexpr auto kClass = classes();

Character class_of(char c) {
  return kClass[static_cast<unsigned char>(c)];
}
bool in_word(char c) {
  return class_of(c) == letter || class_of(c) == digit;
}

} // namespace

bool Lexer::skip_blank() {
  for (;;) {
    const char c = at(0);
    if (class_of(c) == blank) {
      line_ += c == '\n';
      ++position_;
    } else if (c == '/' && at(1) == '/') {
      const std::size_t end = text_.find('\n', position_);
      position_ = end == std::string_view::npos ? text_.size() : end;
    } else if (c == '/' && at(1) == '*') {
      const std::size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) return false;
      for (; position_ < end + 2; ++position_) line_ += text_[position_] == '\n';
    } else {
      return true;
    }
  }
}

Token Lexer::take(Token::Kind kind, std::size_t length) {
  const Token token{kind, text_.substr(position_, length), line_};
  position_ += length;
  return token;
}

// A dot or "::" joins only when a word goes on behind it: "L1::evict_first", but "label:".
std::size_t Lexer::word_length(bool dots) const {
  std::size_t length = 1;
  for (;;) {
    const char c = at(length);
    if (in_word(c)) {
      ++length;
    } else if (dots && c == '.' && in_word(at(length + 1))) {
      length += 2;
    } else if (c == ':' && at(length + 1) == ':' && in_word(at(length + 2))) {
      length += 3;
    } else {
      return length;
    }
  }
}

std::size_t Lexer::number_length() const {
  const bool hexadecimal = at(0) == '0' && class_of(at(1)) == letter;
  std::size_t length = 1;
  for (;;) {
    const char c = at(length);
    const char before = at(length - 1);
    const bool exponent_sign =
        !hexadecimal && (c == '+' || c == '-') && (before == 'e' || before == 'E');
    if (!in_word(c) && c != '.' && !exponent_sign) return length;
    ++length;
  }
}

std::size_t Lexer::string_length() const {
  for (std::size_t length = 1; position_ + length < text_.size(); ++length) {
    const char c = at(length);
    if (c == '"') return length + 1;
    if (c == '\n') return 0;
    if (c == '\\' && at(++length) == '\n') return 0;
  }
  return 0;
}

Token Lexer::next() {
  if (!skip_blank()) return take(Token::Kind::invalid, 2);
  if (position_ >= text_.size()) return {Token::Kind::end, {}, line_};
  const char c = at(0);
  if (c == '%' && !in_word(at(1))) return take(Token::Kind::punctuation, 1); // the remainder
  switch (class_of(c)) {
  case letter:
    return take(Token::Kind::word, word_length(true));
  case digit:
    return take(Token::Kind::number, number_length());
  case mark: {
    const bool shift = (c == '<' || c == '>') && at(1) == c;
    return take(Token::Kind::punctuation, shift ? 2 : 1);
  }
  default:
    break;
  }
  if (c == '.' && in_word(at(1))) return take(Token::Kind::directive, word_length(false));
  if (c == '"') {
    const std::size_t length = string_length();
    if (length != 0) return take(Token::Kind::string, length);
  }
  return take(Token::Kind::invalid, 1);
}

} // namespace course::ptx
