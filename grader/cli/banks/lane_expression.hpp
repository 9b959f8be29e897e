// Expressions in t, the lane: what a reader would write between the brackets of a shared array.
//
//   + - * / % ^ & | << >> ( )   unary minus   t   decimal and hexadecimal numbers
//
// t may be written lane or threadIdx.x as well,
//
// with the meaning and precedence they have in C++ (^ is exclusive or), on 64-bit signed integers.
// What C++ leaves undefined is an error here: overflow, division by zero, shifts by less than 0 or
// more than 63. Text is foreign: any bytes are safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace course::cli {

// What is wrong, and where: an index into the expression's text, at most its length.
struct ExpressionError {
  std::size_t position = 0;
  std::string message; // one sentence without a full stop
};

class LaneExpression {
public:
  // At most kLongest characters, and kDeepest open parentheses and minus signs.
  static constexpr std::size_t kLongest = 1000;
  static constexpr int kDeepest = 100;
  static std::variant<LaneExpression, ExpressionError> parse(std::string_view text);

  std::variant<std::int64_t, ExpressionError> value_at(int lane) const;

  enum class Operation : std::uint8_t {
    number,
    lane,
    negate,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    shift_left,
    shift_right,
    bit_and,
    bit_xor,
    bit_or,
  };
  struct Step { // of a program for a stack machine
    Operation operation{};
    std::size_t position = 0;
    std::int64_t number = 0;
  };

private:
  std::vector<Step> steps_;
};

// The expression, a caret below the position, and the message:
//   33*t +
//         ^ a number, t or ( is missing here
// Characters that would disturb a terminal are shown as '?'.
std::string with_caret(std::string_view text, const ExpressionError&);

} // namespace course::cli
