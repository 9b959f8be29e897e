#include "build/nvcc_messages.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace course::build {
namespace {

// The length of the UTF-8 character at the start of `text`, and its code point; 0 for none.
struct Character {
  std::size_t length = 0;
  std::uint32_t point = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {1, byte(0)};
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {};
  std::uint32_t point = byte(0) & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  if (point < kSmallest[length] || point > 0x10ffff || surrogate) return {};
  return {length, point};
}

// Also the characters that turn the direction of the text around them: with those, a line shows as
// another than it is.
bool is_control(std::uint32_t point) {
  if (point == '\n' || point == '\t') return false;
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x202a && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(from, begin)) != std::string::npos; begin = at + from.size())
    result.append(text, begin, at - begin).append(to);
  text = result.append(text, begin);
}

bool is_of_a_file_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' ||
         c == '+';
}

void replace_intermediate_files(std::string& text, const Seen& seen) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find("tmpxft_", begin)) != std::string::npos;) {
    std::size_t end = at;
    while (end < text.size() && is_of_a_file_name(text[end])) ++end;
    while (text[end - 1] == '.') --end; // the end of a sentence
    result.append(text, begin, at - begin).append(seen.name);
    begin = end;
  }
  text = result.append(text, begin);
}

std::string first_lines(const std::string& text) {
  std::size_t end = 0;
  for (int line = 0; line < kMostLines; ++line) {
    end = text.find('\n', end);
    if (end == std::string::npos || ++end == text.size()) return text;
  }
  const auto left = std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
  return text.substr(0, end) + "… and " + std::to_string(left) + " more lines\n";
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  return text.append(name).append("\"");
}

// nvcc quotes what its headers make of its own words.
void restore_words(std::string& text) {
  for (const char* word : {"shared", "constant", "device", "global", "host", "managed"}) {
    const std::string inner = "((" + std::string(word) + "))";
    replace_all(text, "__attribute__" + inner, "__" + std::string(word) + "__");
    replace_all(text, "__attribute__ " + inner, "__" + std::string(word) + "__");
  }
}

} // namespace

std::string plain_text(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (character.length == 0) {
      result += "\uFFFD";
      text.remove_prefix(1);
      continue;
    }
    if (!is_control(character.point)) result += text.substr(0, character.length);
    text.remove_prefix(character.length);
  }
  return result;
}

std::string clean_messages(std::string_view words, const Seen& seen) {
  std::string text = plain_text(words);
  restore_words(text);
  replace_all(text, seen.folder.string() + "/", "");
  replace_intermediate_files(text, seen);
  if (seen.copy != seen.name) replace_all(text, seen.copy, seen.name);
  return first_lines(text);
}

bool misses_a_name(std::string_view messages) {
  for (const char* words : {"is undefined", "not declared", "incomplete type", "lambda"})
    if (messages.find(words) != messages.npos) return true;
  return false;
}

std::string clean_ptx(std::string_view ptx, const Seen& seen) {
  std::string text(ptx);
  replace_all(text, quoted(seen.folder / seen.copy), quoted(seen.name));
  return text;
}

} // namespace course::build
