#include "device/code/inspect/same_program.hpp"

#include "device/code/ptx/lexer.hpp"
#include "elf/elf_file.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace course::code {
namespace {

using ptx::Token;

// Its lines end in zeros.
std::optional<std::string> text_ptxas_read(const device::Bytes& cubin) {
  try {
    const elf::File file(cubin);
    for (const elf::Section& section : file.sections()) {
      if (section.name != ".nv_debug_ptx_txt") continue;
      std::string text(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size());
      std::replace(text.begin(), text.end(), '\0', '\n');
      return text;
    }
  } catch (const elf::Malformed&) {
  }
  return {};
}

// The tokens of a program without what is about lines alone, which ptxas leaves out of its text.
class Program {
public:
  explicit Program(std::string_view text) : lexer_(text), ahead_(lexer_.next()) {}

  Token next() {
    for (;;) {
      const Token token = ahead_;
      if (token.kind == Token::Kind::end) return token;
      ahead_ = lexer_.next();
      if (token.is_directive(".loc") || token.is_directive(".file"))
        leave_line(token.line);
      else if (token.is_directive(".section"))
        leave_section();
      else
        return token;
    }
  }

private:
  void leave_line(std::uint32_t line) {
    while (ahead_.kind != Token::Kind::end && ahead_.line == line) ahead_ = lexer_.next();
  }
  void leave_section() {
    while (ahead_.kind != Token::Kind::end && !ahead_.is('}')) ahead_ = lexer_.next();
    if (ahead_.is('}')) ahead_ = lexer_.next();
  }

  ptx::Lexer lexer_;
  Token ahead_;
};

} // namespace

bool same_program(const device::Module& module) {
  const auto read = text_ptxas_read(module.cubin);
  if (!read) return true;
  Program stored(module.ptx), original(*read);
  for (;;) {
    const Token a = stored.next(), b = original.next();
    if (a.kind != b.kind || a.text != b.text || a.kind == Token::Kind::invalid) return false;
    if (a.kind == Token::Kind::end) return true;
  }
}

} // namespace course::code
