#include "device/code/ptx/number.hpp"
#include "device/code/ptx/parser.hpp"

#include <algorithm>
#include <limits>

namespace course::ptx {
namespace {

constexpr int kDeepest = 32; // parentheses and signs within each other
constexpr std::uint64_t kFloatSign = 0x80000000;
constexpr std::uint64_t kDoubleSign = std::uint64_t{1} << 63;

int precedence(const Token& token) {
  if (token.kind != Token::Kind::punctuation) return 0;
  switch (token.text[0]) {
  case '*':
  case '/':
  case '%':
    return 6;
  case '+':
  case '-':
    return 5;
  case '<':
  case '>':
    return token.text.size() == 2 ? 4 : 0; // shifts; comparisons are not used in constants
  case '&':
    return 3;
  case '^':
    return 2;
  case '|':
    return 1;
  default:
    return 0;
  }
}

// In 64 bits, wrapping; nothing for a division that has no value.
std::optional<std::int64_t> apply(char operation, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  const auto wrapped = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  switch (operation) {
  case '*':
    return wrapped(a * b);
  case '+':
    return wrapped(a + b);
  case '-':
    return wrapped(a - b);
  case '&':
    return wrapped(a & b);
  case '^':
    return wrapped(a ^ b);
  case '|':
    return wrapped(a | b);
  case '<':
    return b < 64 ? wrapped(a << b) : 0;
  case '>':
    return left >> (b < 64 ? b : 63);
  default:
    break;
  }
  if (right == 0) return std::nullopt;
  if (right == -1) return operation == '/' ? wrapped(0 - a) : 0;
  return operation == '/' ? left / right : left % right;
}

} // namespace

std::int64_t Parser::constant(int depth) {
  return constant_tail(constant_operand(depth), 1, depth);
}

std::int64_t Parser::constant_operand(int depth) {
  if (depth > kDeepest) fail("this constant is nested too deep");
  if (accept('-'))
    return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(constant_operand(depth + 1)));
  if (accept('+')) return constant_operand(depth + 1);
  if (accept('~')) return ~constant_operand(depth + 1);
  if (accept('(')) {
    const std::int64_t value = constant(depth + 1);
    expect(')', "in a constant");
    return value;
  }
  if (token_.kind == Token::Kind::word && token_.text == "WARP_SZ") {
    advance();
    return 32;
  }
  if (token_.kind != Token::Kind::number) fail_expected("an integer");
  const auto value = number(token_.text);
  if (!value || value->kind != Immediate::Kind::integer) fail_expected("an integer of 64 bits");
  advance();
  return static_cast<std::int64_t>(value->bits);
}

std::int64_t Parser::constant_tail(std::int64_t left, int lowest, int depth) {
  for (int level = precedence(token_); level >= lowest && level > 0; level = precedence(token_)) {
    const char operation = token_.text[0];
    advance();
    std::int64_t right = constant_operand(depth);
    if (depth > kDeepest) fail("this constant is nested too deep");
    if (precedence(token_) > level) right = constant_tail(right, level + 1, depth + 1);
    const auto value = apply(operation, left, right);
    if (!value) fail("division by zero in a constant");
    left = *value;
  }
  return left;
}

std::int64_t Parser::offset() {
  if (token_.is('-')) return constant();
  return accept('+') ? constant() : 0;
}

// A float, perhaps with a sign, or a constant expression.
Immediate Parser::immediate(bool negated) {
  const bool minus = accept('-') != negated;
  if (token_.kind == Token::Kind::number) {
    auto value = number(token_.text);
    if (!value) fail_expected("a number");
    if (value->kind != Immediate::Kind::integer) {
      advance();
      if (minus) value->bits ^= value->kind == Immediate::Kind::f32 ? kFloatSign : kDoubleSign;
      return *value;
    }
  }
  std::int64_t value = constant_operand(0);
  if (minus) value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
  value = constant_tail(value, 1, 0);
  return {Immediate::Kind::integer, static_cast<std::uint64_t>(value)};
}

std::uint32_t Parser::count(std::string_view what) {
  const std::int64_t value = constant();
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
    fail(fmt::format("{} must be from 0 to 4294967295", what));
  }
  return static_cast<std::uint32_t>(value);
}

std::uint32_t Parser::product(int most) {
  std::uint64_t result = 1;
  for (int i = 0; i < most; ++i) {
    result *= count("a bound");
    result = std::min<std::uint64_t>(result, std::numeric_limits<std::uint32_t>::max());
    if (!accept(',')) break;
  }
  return static_cast<std::uint32_t>(result);
}

} // namespace course::ptx
