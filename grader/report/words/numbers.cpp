#include "report/words/numbers.hpp"

#include "device/model/grouped.hpp"

namespace course::report {

std::string thousands(std::uint64_t value) {
  return model::grouped(value);
}

std::string decimal(std::uint64_t numerator, std::uint64_t denominator, int digits) {
  std::uint64_t scale = 1;
  for (int i = 0; i < digits; ++i) scale *= 10;
  std::uint64_t whole = numerator / denominator;
  std::uint64_t part = (numerator % denominator * scale + denominator / 2) / denominator;
  if (part == scale) {
    ++whole;
    part = 0;
  }
  if (digits == 0) return thousands(whole);
  const std::string tail = std::to_string(part);
  return thousands(whole) + "." + std::string(digits - tail.size(), '0') + tail;
}

std::string ratio(std::uint64_t numerator, std::uint64_t denominator) {
  if (numerator % denominator == 0) return thousands(numerator / denominator);
  const std::string text = decimal(numerator, denominator, 1);
  return text == "0.0" ? tr("under {}", "0.1") : text;
}

std::pair<std::string, std::string> apart(std::uint64_t a, std::uint64_t b,
                                          std::uint64_t denominator) {
  std::pair<std::string, std::string> text;
  for (int digits = 1; digits <= 6; ++digits) {
    text = {decimal(a, denominator, digits), decimal(b, denominator, digits)};
    if (a == b || text.first != text.second) break;
  }
  return text;
}

} // namespace course::report
