#include "device/code/ptx/number.hpp"

#include <bit>
#include <charconv>

namespace course::ptx {
namespace {

std::optional<std::uint64_t> integer(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || error != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

std::optional<Immediate> float_bits(std::string_view digits, std::size_t count,
                                    Immediate::Kind kind) {
  if (digits.size() != count) return std::nullopt;
  const auto bits = integer(digits, 16);
  if (!bits) return std::nullopt;
  return Immediate{kind, *bits};
}

std::optional<Immediate> decimal_float(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return Immediate{Immediate::Kind::f64, std::bit_cast<std::uint64_t>(value)};
}

} // namespace

std::optional<Immediate> number(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  int base = 10;
  std::string_view digits = text;
  if (text.size() > 1 && text[0] == '0') {
    const char form = text[1];
    const std::string_view rest = text.substr(2);
    if (form == 'f' || form == 'F') return float_bits(rest, 8, Immediate::Kind::f32);
    if (form == 'd' || form == 'D') return float_bits(rest, 16, Immediate::Kind::f64);
    if (form == 'x' || form == 'X' || form == 'b' || form == 'B') {
      base = form == 'x' || form == 'X' ? 16 : 2;
      digits = rest;
    } else if (form >= '0' && form <= '9' && text.find_first_of(".eE") == text.npos) {
      base = 8;
      digits = text.substr(1);
    }
  }
  if (base == 10 && digits.find_first_of(".eE") != digits.npos) return decimal_float(text);
  if (digits.size() > 1 && digits.back() == 'U') digits.remove_suffix(1);
  const auto bits = integer(digits, base);
  if (!bits) return std::nullopt;
  return Immediate{Immediate::Kind::integer, *bits};
}

} // namespace course::ptx
