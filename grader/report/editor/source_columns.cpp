#include "report/editor/source_columns.hpp"

#include <cctype>

namespace course::report {
namespace {

constexpr std::size_t kTab = 8; // columns, as text.hpp has it

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

// UTF-16 code units of the bytes up to `end`: one a code point, two from U+10000 on.
std::uint32_t units(std::string_view line, std::size_t end) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < end && i < line.size(); ++i) {
    if (continues(line[i])) continue;
    count += static_cast<unsigned char>(line[i]) >= 0xf0 ? 2 : 1;
  }
  return count;
}

// The byte at which a column of the printed line begins, where tabs are several.
std::size_t byte_at(std::string_view line, std::size_t column) {
  std::size_t at = 0, i = 0;
  for (; i < line.size() && at < column; ++i) {
    at += line[i] == '\t' ? kTab - at % kTab : 1;
    while (i + 1 < line.size() && continues(line[i + 1])) ++i;
  }
  return i;
}

bool is_name_byte(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) || byte == '_';
}

} // namespace

SourceLines::SourceLines(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines_.emplace_back(line);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

Columns SourceLines::text_of(std::uint32_t line) const {
  if (line == 0 || line > lines_.size()) return {};
  const auto& text = lines_[line - 1];
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  if (first == text.npos) return {0, units(text, text.size())};
  return {units(text, first), units(text, last + 1)};
}

std::uint32_t SourceLines::end_of(std::uint32_t line) const {
  if (line == 0 || line > lines_.size()) return 0;
  return units(lines_[line - 1], lines_[line - 1].size());
}

Columns SourceLines::underlined(std::uint32_t line, std::optional<Underline> under) const {
  if (!under || line == 0 || line > lines_.size()) return text_of(line);
  const auto& text = lines_[line - 1];
  return {units(text, byte_at(text, under->start)),
          units(text, byte_at(text, under->start + under->length))};
}

std::uint32_t SourceLines::first_with(std::string_view name) const {
  if (name.empty()) return 0;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto& line = lines_[i];
    for (auto at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
      const auto end = at + name.size();
      const bool starts = at == 0 || !is_name_byte(line[at - 1]);
      if (starts && end < line.size() && line[end] == '(') return static_cast<std::uint32_t>(i) + 1;
    }
  }
  return 0;
}

} // namespace course::report
