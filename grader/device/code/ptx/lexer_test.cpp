#include "device/code/ptx/lexer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace course::ptx {
namespace {

std::vector<std::string> tokens(std::string_view text) {
  Lexer lexer(text);
  std::vector<std::string> result;
  for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) {
    result.emplace_back(token.text);
    if (token.kind == Token::Kind::invalid) break;
  }
  return result;
}

Token first(std::string_view text) {
  return Lexer(text).next();
}

using Tokens = std::vector<std::string>;

} // namespace

TEST_CASE("an opcode keeps its modifiers and a special register its component") {
  CHECK(tokens("ld.shared::cta.v2.f32 {%f1, %f2}, [%r1+8];") ==
        Tokens{"ld.shared::cta.v2.f32", "{", "%f1", ",", "%f2", "}", ",", "[", "%r1", "+", "8", "]",
               ";"});
  CHECK(tokens("mov.u32 %r1,%tid.x;") == Tokens{"mov.u32", "%r1", ",", "%tid.x", ";"});
}

TEST_CASE("a directive ends at the next dot, and a label before its colon") {
  CHECK(tokens(".reg.b32 f;") == Tokens{".reg", ".b32", "f", ";"});
  CHECK(tokens("$L__BB0_2:bra L;") == Tokens{"$L__BB0_2", ":", "bra", "L", ";"});
  CHECK(tokens("L: ::x") == Tokens{"L", ":", ":", ":", "x"});
}

TEST_CASE("the names that nvcc makes are one word") {
  for (const std::string name :
       {"_ZZ1tPfPKfiE4tile", "$str", "%SP", "_$_cold", "$L__info_string0"}) {
    CHECK(first(name).kind == Token::Kind::word);
    CHECK(first(name).text == name);
  }
}

TEST_CASE("numbers of every form are one token") {
  for (const std::string number :
       {"0", "42U", "0x1fU", "0f3F800000", "0dBFF0000000000000", "1.5e-3", "2.E+5"}) {
    CHECK(first(number).kind == Token::Kind::number);
    CHECK(first(number).text == number);
  }
  CHECK(tokens("0x1e+4") == Tokens{"0x1e", "+", "4"});
  CHECK(tokens("8+-4") == Tokens{"8", "+", "-", "4"});
}

TEST_CASE("comments and blanks separate tokens and count lines") {
  Lexer lexer("a // b ; c\n/* d\n e */ f\n\n\"g // h\" ");
  CHECK(lexer.next().text == "a");
  const Token f = lexer.next();
  CHECK(f.text == "f");
  CHECK(f.line == 3);
  const Token g = lexer.next();
  CHECK(g.kind == Token::Kind::string);
  CHECK(g.line == 5);
  CHECK(lexer.next().kind == Token::Kind::end);
  CHECK(lexer.next().kind == Token::Kind::end);
}

TEST_CASE("what is not closed or not PTX is invalid") {
  CHECK(first("/* open").kind == Token::Kind::invalid);
  CHECK(first("\"open").kind == Token::Kind::invalid);
  CHECK(first("\"open\nclosed\"").kind == Token::Kind::invalid);
  CHECK(first("\"open\\\n\"").kind == Token::Kind::invalid);
  CHECK(first("`").kind == Token::Kind::invalid);
  CHECK(first(std::string_view("\0", 1)).kind == Token::Kind::invalid);
  CHECK(first("\xff").kind == Token::Kind::invalid);
  CHECK(first(". x").kind == Token::Kind::invalid);
}

TEST_CASE("shifts are one token and brackets are not") {
  CHECK(tokens("1<<2") == Tokens{"1", "<<", "2"});
  CHECK(tokens("%r<24>") == Tokens{"%r", "<", "24", ">"});
}

} // namespace course::ptx
