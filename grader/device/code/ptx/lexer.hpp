// PTX text to tokens, on demand; a token is a view into the text.
#pragma once

#include <cstdint>
#include <string_view>

namespace course::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,      // "ld.shared::cta.f32", "%tid.x", "$L__BB0_2": dots and what follows are part of it
    directive, // ".reg": a dot where no word precedes it
    number,    // "12", "0x1fU", "0f3F800000", "1.5e-3"
    string,    // with its quotes
    punctuation, // one character, or a shift
    invalid,     // a byte that PTX does not use, or an unclosed comment or string
  };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint32_t line = 1; // where it starts

  bool is(char c) const { return kind == Kind::punctuation && text.size() == 1 && text[0] == c; }
  bool is_directive(std::string_view name) const { return kind == Kind::directive && text == name; }
};

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();

private:
  bool skip_blank(); // false: a comment is not closed
  Token take(Token::Kind, std::size_t length);
  std::size_t word_length(bool dots) const;
  std::size_t number_length() const;
  std::size_t string_length() const; // 0: not closed
  char at(std::size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
};

} // namespace course::ptx
