// Any bytes as an index expression: a value for each lane, or what is wrong and where.
#include "cli/banks/lane_expression.hpp"

#include <cstddef>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace course::cli;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto result = LaneExpression::parse(text);
  if (const auto* error = std::get_if<ExpressionError>(&result)) {
    if (error->position > text.size() || error->message.empty()) __builtin_trap();
    with_caret(text, *error);
    return 0;
  }
  for (int lane = 0; lane < 32; ++lane) std::get<LaneExpression>(result).value_at(lane);
  return 0;
}
