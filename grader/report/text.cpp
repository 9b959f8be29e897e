#include "report/text.hpp"

#include <algorithm>
#include <cstdint>

namespace course::report {
namespace {

constexpr std::size_t kTab = 8;

bool is_continuation(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

// Bytes of the code point that starts the text; 0 when it is not UTF-8.
std::size_t length_of_first(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80             ? 1
                             : (lead & 0xe0) == 0xc0 ? 2
                             : (lead & 0xf0) == 0xe0 ? 3
                             : (lead & 0xf8) == 0xf0 ? 4
                                                     : 0;
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t point = length == 1 ? lead : lead & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (!is_continuation(byte)) return 0;
    point = point << 6 | (byte & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  return point < kLeast[length] || surrogate || point > 0x10ffff ? 0 : length;
}

// Code points that move the cursor, or turn the direction of the text after them.
bool steers(std::string_view point) {
  const auto first = static_cast<unsigned char>(point[0]);
  if (point.size() == 1) return first < 0x20 || first == 0x7f;
  const auto second = static_cast<unsigned char>(point[1]);
  if (point.size() == 2) return first == 0xc2 && second < 0xa0; // C1 controls
  if (point.size() != 3 || first != 0xe2) return false;
  const auto third = static_cast<unsigned char>(point[2]);
  const bool embedding = second == 0x80 && third >= 0xaa && third <= 0xae;
  const bool isolate = second == 0x81 && third >= 0xa6 && third <= 0xa9;
  const bool separator = second == 0x80 && (third == 0xa8 || third == 0xa9);
  const bool mark = second == 0x80 && (third == 0x8e || third == 0x8f);
  return embedding || isolate || separator || mark;
}

// The first `most` columns of a printable text.
std::string_view head(std::string_view text, std::size_t most) {
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
    if (is_continuation(static_cast<unsigned char>(text[bytes]))) continue;
    if (seen++ == most) break;
  }
  return text.substr(0, bytes);
}

constexpr std::string_view kNoBreak = "\u00a0";

// No-break spaces as the spaces that they stand for.
std::string spaced(std::string_view text) {
  std::string plain;
  for (auto at = text.find(kNoBreak); at != text.npos; at = text.find(kNoBreak)) {
    plain.append(text.substr(0, at)).push_back(' ');
    text.remove_prefix(at + kNoBreak.size());
  }
  return plain.append(text);
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
    if (text.empty()) return words;
    words.push_back(text.substr(0, text.find_first_of(" \n")));
    text.remove_prefix(words.back().size());
  }
}

// What is longer than a line may be broken after all, at its spaces.
std::string breakable(std::string_view text, std::size_t room) {
  std::string result;
  for (const auto word : words_of(text))
    result += (columns(word) > room ? spaced(word) : std::string(word)) + ' ';
  return result;
}

} // namespace

std::string printable(std::string_view text) {
  std::string clean;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    const auto point = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(point.size());
    if (point == "\n") {
      clean += '\n';
      column = 0;
    } else if (point == "\t") {
      const auto spaces = kTab - column % kTab;
      clean.append(spaces, ' ');
      column += spaces;
    } else {
      clean += length == 0 || steers(point) ? std::string_view("?") : point;
      ++column;
    }
  }
  return clean;
}

std::size_t columns(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char byte) {
    return !is_continuation(static_cast<unsigned char>(byte));
  });
}

std::string wrapped(std::string_view all, int width, int indent) {
  const auto room = static_cast<std::size_t>(std::max(width - indent, 10));
  const std::string margin(indent, ' ');
  const auto text = breakable(all, room);
  std::string out, line;
  const auto flush = [&] {
    if (!line.empty()) out += margin + spaced(line) + '\n';
    line.clear();
  };
  for (auto word : words_of(text)) {
    if (!line.empty() && columns(line) + 1 + columns(word) > room) flush();
    while (columns(word) > room) {
      line = head(word, room);
      word.remove_prefix(line.size());
      flush();
    }
    if (word.empty()) continue;
    if (!line.empty()) line += ' ';
    line += word;
  }
  flush();
  return out;
}

std::string unbroken(std::string_view text) {
  std::string kept;
  for (const char byte : text) kept += byte == ' ' ? std::string(kNoBreak) : std::string(1, byte);
  return kept;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string inked(std::string_view text, Ink ink, const Terminal& terminal) {
  const char* code = ink == Ink::bold     ? "1"
                     : ink == Ink::faint  ? "2"
                     : ink == Ink::red    ? "1;31"
                     : ink == Ink::green  ? "32"
                     : ink == Ink::yellow ? "33"
                                          : nullptr;
  if (!terminal.colour || !code) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

} // namespace course::report
