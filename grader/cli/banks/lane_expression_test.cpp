#include "cli/banks/lane_expression.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace course::cli {
namespace {

std::int64_t value(std::string_view text, int lane) {
  const auto parsed = LaneExpression::parse(text);
  REQUIRE_MESSAGE(std::holds_alternative<LaneExpression>(parsed), text);
  const auto result = std::get<LaneExpression>(parsed).value_at(lane);
  REQUIRE_MESSAGE(std::holds_alternative<std::int64_t>(result), text);
  return std::get<std::int64_t>(result);
}

// The error of parsing, or of evaluating at `lane`.
ExpressionError error_of(std::string_view text, int lane = 3) {
  const auto parsed = LaneExpression::parse(text);
  if (const auto* error = std::get_if<ExpressionError>(&parsed)) return *error;
  const auto result = std::get<LaneExpression>(parsed).value_at(lane);
  REQUIRE_MESSAGE(std::holds_alternative<ExpressionError>(result), text);
  return std::get<ExpressionError>(result);
}

// The same text as C++ and as a lane expression.
#define SAME_AS_CPP(expression)                                                                    \
  for (std::int64_t t = 0; t < 32; ++t)                                                            \
  CHECK(value(#expression, static_cast<int>(t)) == (expression))

} // namespace

TEST_CASE("the lane may be called as in a kernel") {
  CHECK(value("threadIdx.x * 33", 5) == 165);
  CHECK(value("lane % 8 + t", 9) == 10);
}

TEST_CASE("expressions mean what they mean in C++") {
  SAME_AS_CPP(33 * t);
  SAME_AS_CPP(t);
  SAME_AS_CPP(-t + 5);
  SAME_AS_CPP(- -t);
  SAME_AS_CPP((t % 8) * 32 + t / 8);
  SAME_AS_CPP(100 - t - 5);
  SAME_AS_CPP(1000 / (t + 1) / 2 % 7);
  SAME_AS_CPP(-7 % (t + 1));
  SAME_AS_CPP(-7 / (t + 1));
  SAME_AS_CPP(0x1F & t);
  SAME_AS_CPP(-1 >> t);
  SAME_AS_CPP(t * -3);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
TEST_CASE("precedence is C++'s, where ^ is exclusive or and shifts bind less than sums") {
  SAME_AS_CPP(t << 2 + 1);
  SAME_AS_CPP(t + 1 << 2);
  SAME_AS_CPP(t ^ t >> 3);
  SAME_AS_CPP(t | 1 ^ t & 6);
  SAME_AS_CPP(t & 1 | t ^ 2 + 3 * t);
  SAME_AS_CPP(32 * t + (5 ^ t & 31));
}
#pragma GCC diagnostic pop

TEST_CASE("blanks do not matter") {
  CHECK(value("  33\t*t  ", 2) == 66);
}

TEST_CASE("errors of syntax say where and what") {
  struct Wrong {
    const char* text;
    std::size_t position;
    const char* says;
  };
  for (const Wrong& wrong : std::vector<Wrong>{
           {"", 0, "missing"},
           {"   ", 3, "missing"},
           {"33*", 3, "missing"},
           {"33t", 2, "write *"},
           {"33 t", 3, "write *"},
           {"3(t)", 1, "write *"},
           {"(t", 0, "never closed"},
           {"t)", 1, "closes nothing"},
           {"()", 1, "expected"},
           {"(t 3)", 3, "expected"},
           {"x + t", 0, "unknown name"},
           {"t + threadIdx", 4, "unknown name"},
           {"t t2", 2, "write *"},
           {"t $ 2", 2, "not an operator"},
           {"t * * 2", 4, "expected"},
           {"0x", 0, "hexadecimal"},
           {"0x-1", 0, "hexadecimal"},
           {"0xg", 0, "hexadecimal"},
           {"010", 0, "octal"},
           {"12ab", 2, "letter"},
           {"9223372036854775808", 0, "64 bits"},
           {"t ** 2", 3, "expected"},
           {"t < 2", 2, "not an operator"},
       }) {
    const ExpressionError error = error_of(wrong.text);
    INFO(wrong.text, ": ", error.message);
    CHECK(error.position == wrong.position);
    CHECK(error.message.find(wrong.says) != std::string::npos);
  }
}

TEST_CASE("what C++ leaves undefined is an error that names the operator and the lane") {
  CHECK(error_of("32 / (t - 3)").position == 3);
  CHECK(error_of("32 / (t - 3)").message == "division by zero in lane 3");
  CHECK(error_of("t % (t - t)").message == "division by zero in lane 3");
  CHECK(error_of("1 << 64").message == "a shift by 64 in lane 3");
  CHECK(error_of("1 << -t").message == "a shift by -3 in lane 3");
  CHECK(error_of("1 << 63").message.starts_with("a value that does not fit"));
  CHECK(error_of("t << 62").message.starts_with("a value that does not fit"));
  CHECK(error_of("9223372036854775807 + t").position == 20);
  CHECK(error_of("-9223372036854775807 - t").message.starts_with("a value that"));
  CHECK(error_of("9223372036854775807 * t").message.starts_with("a value that"));
  CHECK(error_of("(-9223372036854775807 - 1) / -1").message.starts_with("a value that"));
  CHECK(error_of("(-9223372036854775807 - 1) % -1").message.starts_with("a value that"));
  CHECK(error_of("-(-9223372036854775807 - 1)").position == 0);
}

TEST_CASE("long and deep expressions are refused, not followed") {
  CHECK(error_of(std::string(1001, '1')).message.starts_with("longer than"));
  CHECK(error_of(std::string(900, '(')).message == "nested too deeply");
  CHECK(error_of(std::string(900, '-') + "t").message == "nested too deeply");
  CHECK(value(std::string(90, '(') + "t" + std::string(90, ')'), 7) == 7);
}

TEST_CASE("any bytes are safe") {
  std::mt19937 random(6);
  const std::string_view likely = "t0123456789xX+-*/%^&|<>() \tq\n\x80\xff";
  int good = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (auto length = random() % 20; length > 0; --length)
      text += trial % 4 ? likely[random() % likely.size()] : static_cast<char>(random());
    const auto parsed = LaneExpression::parse(text);
    if (const auto* expression = std::get_if<LaneExpression>(&parsed)) {
      ++good;
      for (int lane = 0; lane < 32; ++lane) {
        const auto result = expression->value_at(lane);
        if (const auto* error = std::get_if<ExpressionError>(&result))
          CHECK(error->position < text.size());
      }
    } else {
      CHECK(std::get<ExpressionError>(parsed).position <= text.size());
    }
  }
  CHECK(good > 100);
}

TEST_CASE("a caret points at the position, and the terminal is safe") {
  CHECK(with_caret("33*t +", {6, "missing"}) == "33*t +\n      ^ missing");
  CHECK(with_caret("t\x1b[31m\n\t+", {1, "no"}) == "t?[31m? +\n ^ no");
  CHECK(with_caret("t", {99, "end"}) == "t\n ^ end");
}

} // namespace course::cli
