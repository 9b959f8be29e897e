#include "cli/banks/lane_expression.hpp"

#include "language/translate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace course::cli {
namespace {

using Operation = LaneExpression::Operation;
using Step = LaneExpression::Step;
using Value = std::int64_t;

struct Operator {
  std::string_view text;
  Operation operation;
  int precedence; // higher binds tighter
};
constexpr Operator kOperators[] = {
    {"<<", Operation::shift_left, 4}, {">>", Operation::shift_right, 4},
    {"*", Operation::multiply, 6},    {"/", Operation::divide, 6},
    {"%", Operation::remainder, 6},   {"+", Operation::add, 5},
    {"-", Operation::subtract, 5},    {"&", Operation::bit_and, 3},
    {"^", Operation::bit_xor, 2},     {"|", Operation::bit_or, 1},
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_space(char c) {
  return c == ' ' || c == '\t';
}

// Recursive descent over the text; the first error ends it.
class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<ExpressionError> error;
  std::vector<Step> steps;

  void whole() {
    binary(1);
    skip_spaces();
    if (error || at_ == text_.size()) return;
    if (text_[at_] == ')')
      fail(at_, tr("this ) closes nothing"));
    else if (text_[at_] == 't' || text_[at_] == '(' || is_digit(text_[at_]))
      fail(at_, tr("an operator is missing here: write * to multiply"));
    else if (is_letter(text_[at_]))
      unknown_name();
    else
      fail(at_, tr("not an operator here: there are + - * / % ^ & | << >>"));
  }

private:
  void fail(std::size_t position, std::string message) {
    if (!error) error = ExpressionError{position, std::move(message)};
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  const Operator* next_operator() {
    skip_spaces();
    for (const Operator& candidate : kOperators)
      if (text_.substr(at_).starts_with(candidate.text)) return &candidate;
    return nullptr;
  }

  // Operands joined by operators that bind at least as tightly as `precedence`; left to right.
  void binary(int precedence) {
    operand();
    while (!error) {
      const Operator* op = next_operator();
      if (op == nullptr || op->precedence < precedence) return;
      const std::size_t position = at_;
      at_ += op->text.size();
      binary(op->precedence + 1);
      steps.push_back({op->operation, position, 0});
    }
  }

  void operand() {
    skip_spaces();
    if (at_ == text_.size()) return fail(at_, tr("a number, t or ( is missing here"));
    if (depth_ == LaneExpression::kDeepest) return fail(at_, tr("nested too deeply"));
    ++depth_;
    const char c = text_[at_];
    if (c == '-')
      negation();
    else if (c == '(')
      parentheses();
    else if (is_digit(c))
      number();
    else if (is_letter(c))
      lane();
    else
      fail(at_, tr("a number, t or ( is expected here"));
    --depth_;
  }

  void negation() {
    const std::size_t position = at_++;
    operand();
    steps.push_back({Operation::negate, position, 0});
  }

  void parentheses() {
    const std::size_t position = at_++;
    binary(1);
    skip_spaces();
    if (error) return;
    if (at_ == text_.size() || text_[at_] != ')') {
      if (at_ == text_.size()) return fail(position, tr("this ( is never closed"));
      return fail(at_, tr("an operator or ) is expected here"));
    }
    ++at_;
  }

  std::size_t end_of_word() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return end;
  }

  void unknown_name() {
    fail(at_, tr("unknown name: the lane is called t or threadIdx.x, and there is no other"));
  }

  void lane() {
    const std::size_t end = end_of_word();
    const auto name = text_.substr(at_, end - at_);
    const bool in_full = name == "threadIdx" && text_.substr(end).starts_with(".x");
    if (name != "t" && name != "lane" && !in_full) return unknown_name();
    steps.push_back({Operation::lane, at_, 0});
    at_ = in_full ? end + 2 : end;
  }

  void number() {
    const std::size_t position = at_;
    const bool hexadecimal =
        text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    if (hexadecimal) at_ += 2;
    Value value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [after, status] =
        std::from_chars(text_.data() + at_, end, value, hexadecimal ? 16 : 10);
    if (status == std::errc::result_out_of_range)
      return fail(position, tr("this number does not fit in 64 bits"));
    if (status != std::errc{} || text_[at_] == '-')
      return fail(position, tr("0x needs hexadecimal digits after it"));
    const std::size_t next = after - text_.data();
    if (!hexadecimal && text_[at_] == '0' && next - at_ > 1)
      return fail(position, tr("C++ reads a number that starts with 0 as octal: leave out the 0"));
    if (next < text_.size() && is_letter(text_[next]))
      return fail(next, text_.substr(next).starts_with("t")
                            ? tr("an operator is missing here: write * to multiply")
                            : tr("a letter in a number"));
    steps.push_back({Operation::number, position, value});
    at_ = next;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// The value of a binary operation, or what is wrong with it in this lane.
std::variant<Value, std::string> combined(Operation operation, Value left, Value right, int lane) {
  constexpr Value kLowest = std::numeric_limits<Value>::min();
  Value result = 0;
  bool overflow = false;
  switch (operation) {
  case Operation::add:
    overflow = __builtin_add_overflow(left, right, &result);
    break;
  case Operation::subtract:
    overflow = __builtin_sub_overflow(left, right, &result);
    break;
  case Operation::multiply:
    overflow = __builtin_mul_overflow(left, right, &result);
    break;
  case Operation::divide:
  case Operation::remainder:
    if (right == 0) return tr("division by zero in lane {}", lane);
    overflow = left == kLowest && right == -1;
    if (!overflow) result = operation == Operation::divide ? left / right : left % right;
    break;
  case Operation::shift_left:
  case Operation::shift_right:
    if (right < 0 || right > 63) return tr("a shift by {} in lane {}", right, lane);
    result = operation == Operation::shift_right ? left >> right : left << right;
    overflow = operation == Operation::shift_left && result >> right != left;
    break;
  case Operation::bit_and:
    result = left & right;
    break;
  case Operation::bit_xor:
    result = left ^ right;
    break;
  case Operation::bit_or:
    result = left | right;
    break;
  case Operation::number:
  case Operation::lane:
  case Operation::negate:
    break;
  }
  if (overflow) return tr("a value that does not fit in 64 bits in lane {}", lane);
  return result;
}

} // namespace

std::variant<LaneExpression, ExpressionError> LaneExpression::parse(std::string_view text) {
  if (text.size() > kLongest)
    return ExpressionError{kLongest, tr("longer than {} characters", kLongest)};
  Parser parser(text);
  parser.whole();
  if (parser.error) return *parser.error;
  LaneExpression expression;
  expression.steps_ = std::move(parser.steps);
  return expression;
}

std::variant<std::int64_t, ExpressionError> LaneExpression::value_at(int lane) const {
  std::vector<Value> stack;
  for (const Step& step : steps_) {
    if (step.operation == Operation::number || step.operation == Operation::lane) {
      stack.push_back(step.operation == Operation::lane ? lane : step.number);
      continue;
    }
    const Value right = stack.back();
    stack.pop_back();
    Value left = 0;
    if (step.operation != Operation::negate) {
      left = stack.back();
      stack.pop_back();
    }
    const Operation operation =
        step.operation == Operation::negate ? Operation::subtract : step.operation;
    const auto result = combined(operation, left, right, lane);
    if (const auto* message = std::get_if<std::string>(&result))
      return ExpressionError{step.position, *message};
    stack.push_back(std::get<Value>(result));
  }
  return stack.back();
}

std::string with_caret(std::string_view text, const ExpressionError& error) {
  std::string shown(text.substr(0, LaneExpression::kLongest));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = c == '\t' ? ' ' : '?';
  const std::size_t position = std::min(error.position, shown.size());
  return shown + "\n" + std::string(position, ' ') + "^ " + error.message;
}

} // namespace course::cli
