#include "cli/lsp/moved_lines.hpp"

#include <algorithm>

namespace course::cli {
namespace {

// Lines from `begin` to before `end` are changed, and all from `end` on move; lines from 0.
struct Lines {
  std::int64_t begin = 0, end = 0, moved = 0;
};

Lines changed_lines(const Edit& edit) {
  const auto& text = edit.text;
  const std::int64_t first = edit.first_line, last = edit.last_line;
  const auto moved = std::ranges::count(text, '\n') - (last - first);
  const bool whole = edit.first_character == 0 && edit.last_character == 0;
  if (whole && (text.empty() || text.back() == '\n')) return {first, last, moved};
  const bool between = first == last && edit.first_character == edit.last_character;
  if (between && (text.starts_with('\n') || text.starts_with("\r\n")))
    return {first + 1, first + 1, moved}; // a new line behind this one
  return {first, last + 1, moved};
}

template <class OfLine>
void move(std::vector<OfLine>& all, const Lines& lines) {
  std::erase_if(all, [&](const OfLine& one) {
    const std::int64_t line = std::int64_t{one.line} - 1;
    return line >= lines.begin && line < lines.end;
  });
  for (auto& one : all)
    if (std::int64_t{one.line} - 1 >= lines.end)
      one.line = static_cast<std::uint32_t>(std::int64_t{one.line} + lines.moved);
}

} // namespace

void move_with(report::EditorFile& file, const Edit& edit) {
  if (edit.last_line < edit.first_line) return;
  const auto lines = changed_lines(edit);
  move(file.marks, lines);
  move(file.words, lines);
  move(file.pages, lines);
  for (auto& mark : file.marks)
    if (mark.other_line != 0 && std::int64_t{mark.other_line} - 1 >= lines.end)
      mark.other_line = static_cast<std::uint32_t>(std::int64_t{mark.other_line} + lines.moved);
}

} // namespace course::cli
