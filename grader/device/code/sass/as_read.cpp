#include "device/code/sass/as_read.hpp"

#include "device/code/ptx/lexer.hpp"

namespace course::sass {
namespace {

using ptx::Token;

// Tokens of instructions and declarations: without what is about lines and files alone.
class Statements {
public:
  explicit Statements(std::string_view text) : lexer_(text), next_(lexer_.next()) {}

  Token take() {
    for (;;) {
      const Token token = next_;
      if (token.kind == Token::Kind::end) return token;
      next_ = lexer_.next();
      if (token.is_directive(".loc") || token.is_directive(".file"))
        skip_line(token.line);
      else if (token.is_directive(".section"))
        skip_section();
      else
        return token;
    }
  }

private:
  void skip_line(std::uint32_t line) {
    while (next_.kind != Token::Kind::end && next_.line == line) next_ = lexer_.next();
  }
  void skip_section() {
    while (next_.kind != Token::Kind::end && !next_.is('}')) next_ = lexer_.next();
    if (next_.is('}')) next_ = lexer_.next();
  }

  ptx::Lexer lexer_;
  Token next_;
};

} // namespace

std::optional<std::string> lines_as_read(std::string_view ptx, std::string_view read) {
  Statements stored(ptx), original(read);
  std::string result;
  std::size_t copied = 0; // of `ptx`
  std::uint32_t added = 0;
  for (;;) {
    const Token a = stored.take(), b = original.take();
    if (a.kind != b.kind || a.text != b.text || a.kind == Token::Kind::invalid) return std::nullopt;
    if (a.kind == Token::Kind::end) break;
    if (b.line < a.line + added) return std::nullopt;
    const std::uint32_t missing = b.line - (a.line + added);
    if (missing == 0) continue;
    const auto at = static_cast<std::size_t>(a.text.data() - ptx.data());
    result.append(ptx, copied, at - copied);
    result.append(missing, '\n');
    copied = at;
    added += missing;
  }
  result.append(ptx, copied);
  return result;
}

} // namespace course::sass
