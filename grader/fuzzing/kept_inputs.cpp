#include "fuzzing/kept_inputs.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace course::fuzzing {
namespace {

constexpr std::size_t kFewZeros = 3;          // are shorter as \x00 than counted, or nearly
constexpr std::size_t kMostZeros = 256 << 20; // more is a mistake

void append_hex(std::string& line, unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  line += "\\x";
  line += kDigits[byte >> 4];
  line += kDigits[byte & 15];
}

// The number that all of `digits` is.
std::optional<std::size_t> number(std::string_view digits, int base) {
  std::size_t value = 0;
  const auto* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value, base);
  return read.ec == std::errc{} && read.ptr == end ? std::optional(value) : std::nullopt;
}

// Takes one escape, the backslash of which is gone, off the front of `rest`.
bool unescape(std::string_view& rest, std::string& input) {
  const char kind = rest.empty() ? '\0' : rest.front();
  rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
  if (kind == '\\' || kind == 'n' || kind == 't') {
    input += kind == 'n' ? '\n' : kind == 't' ? '\t' : '\\';
    return true;
  }
  if (kind == 'x') {
    const auto byte = rest.size() < 2 ? std::nullopt : number(rest.substr(0, 2), 16);
    if (byte) input += static_cast<char>(*byte), rest.remove_prefix(2);
    return byte.has_value();
  }
  const auto closed = rest.find('}');
  if (kind != '0' || !rest.starts_with('{') || closed == rest.npos) return false;
  const auto zeros = number(rest.substr(1, closed - 1), 10);
  if (!zeros || *zeros > kMostZeros) return false;
  input.append(*zeros, '\0');
  rest.remove_prefix(closed + 1);
  return true;
}

std::optional<std::string> input_of(std::string_view line) {
  std::string input;
  while (!line.empty()) {
    const auto plain = line.substr(0, line.find('\\'));
    input += plain;
    line.remove_prefix(plain.size());
    if (line.empty()) break;
    line.remove_prefix(1);
    if (!unescape(line, input)) return std::nullopt;
  }
  return input;
}

} // namespace

std::string line_of(std::string_view input) {
  std::string line;
  for (std::size_t at = 0; at < input.size(); ++at) {
    const char c = input[at];
    const auto zeros = std::min(input.find_first_not_of('\0', at), input.size()) - at;
    if (zeros > kFewZeros) {
      line += "\\0{" + std::to_string(zeros) + "}";
      at += zeros - 1;
    } else if (c == '\\') {
      line += "\\\\";
    } else if (c == '\n' || c == '\t') {
      line += c == '\n' ? "\\n" : "\\t";
    } else if (c < ' ' || c > '~' || (c == '#' && at == 0)) {
      append_hex(line, static_cast<unsigned char>(c));
    } else {
      line += c;
    }
  }
  return line;
}

std::variant<std::vector<std::string>, std::string> inputs_of(std::string_view text) {
  std::vector<std::string> inputs;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with('#')) continue;
    auto input = input_of(line);
    if (!input) return "line " + std::to_string(number) + " has an escape that is none";
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

} // namespace course::fuzzing
