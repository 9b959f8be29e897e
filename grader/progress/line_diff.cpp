#include "progress/line_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace course::progress {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kContext = 3;
constexpr std::size_t kMostCells = 16'000'000; // of the table below

struct Edit {
  char sign; // ' ', '-', '+'
  const std::string* line;
};

// The longest common subsequence of the middles, by dynamic programming. Past kMostCells, all of
// one is taken out and all of the other put in: right, and not the shortest.
void add_middle(const Lines& a, const Lines& b, std::size_t from, std::size_t a_end,
                std::size_t b_end, std::vector<Edit>& edits) {
  const std::size_t rows = a_end - from, cols = b_end - from;
  std::size_t i = 0, j = 0;
  if (rows * cols <= kMostCells) {
    std::vector<std::uint32_t> common((rows + 1) * (cols + 1));
    const auto at = [&](std::size_t y, std::size_t x) -> std::uint32_t& {
      return common[y * (cols + 1) + x];
    };
    for (std::size_t y = rows; y-- > 0;)
      for (std::size_t x = cols; x-- > 0;)
        at(y, x) = a[from + y] == b[from + x] ? at(y + 1, x + 1) + 1
                                              : std::max(at(y + 1, x), at(y, x + 1));
    while (i < rows && j < cols) {
      if (a[from + i] == b[from + j]) {
        edits.push_back({' ', &a[from + i]});
        ++i;
        ++j;
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        edits.push_back({'-', &a[from + i++]});
      } else {
        edits.push_back({'+', &b[from + j++]});
      }
    }
  }
  while (i < rows) edits.push_back({'-', &a[from + i++]});
  while (j < cols) edits.push_back({'+', &b[from + j++]});
}

std::vector<Edit> edits_between(const Lines& a, const Lines& b) {
  std::vector<Edit> edits;
  std::size_t from = 0, a_end = a.size(), b_end = b.size();
  while (from < a_end && from < b_end && a[from] == b[from]) edits.push_back({' ', &a[from++]});
  while (a_end > from && b_end > from && a[a_end - 1] == b[b_end - 1]) {
    --a_end;
    --b_end;
  }
  add_middle(a, b, from, a_end, b_end, edits);
  for (; a_end < a.size(); ++a_end) edits.push_back({' ', &a[a_end]});
  return edits;
}

std::string cut(std::string line, const report::Terminal& terminal) {
  const auto most = static_cast<std::size_t>(std::max(terminal.columns, 40));
  if (report::columns(line) <= most) return line;
  while (report::columns(line) > most - 3) line.pop_back();
  return line + "...";
}

std::string shown(const Edit& edit, const report::Terminal& terminal) {
  using report::Ink;
  const auto ink = edit.sign == '+' ? Ink::green : edit.sign == '-' ? Ink::red : Ink::plain;
  auto line = fmt::format("{}{}", edit.sign, report::printable(*edit.line));
  return report::inked(cut(std::move(line), terminal), ink, terminal) + "\n";
}

} // namespace

std::string line_diff(std::string_view before, std::string_view after,
                      const report::Terminal& terminal) {
  const auto a = report::lines_of(before), b = report::lines_of(after);
  const auto edits = edits_between(a, b);
  std::string text;
  std::size_t old_line = 1, new_line = 1; // of edits[i]
  for (std::size_t i = 0, shown_to = 0; i < edits.size();) {
    if (edits[i].sign == ' ') {
      ++i;
      ++old_line;
      ++new_line;
      continue;
    }
    const std::size_t before_it = std::min(kContext, i - shown_to), start = i - before_it;
    std::size_t end = i, last_change = i;
    while (end < edits.size() && end - last_change <= 2 * kContext) {
      if (edits[end].sign != ' ') last_change = end;
      ++end;
    }
    end = std::min(last_change + kContext + 1, edits.size());
    const auto count = [&](char other) {
      return std::count_if(edits.begin() + static_cast<std::ptrdiff_t>(start),
                           edits.begin() + static_cast<std::ptrdiff_t>(end),
                           [&](const Edit& edit) { return edit.sign != other; });
    };
    const auto head = fmt::format("@@ -{},{} +{},{} @@", old_line - before_it, count('+'),
                                  new_line - before_it, count('-'));
    text += report::inked(head, report::Ink::faint, terminal) + "\n";
    for (std::size_t k = start; k < end; ++k) text += shown(edits[k], terminal);
    for (; i < end; ++i) {
      old_line += edits[i].sign != '+';
      new_line += edits[i].sign != '-';
    }
    shown_to = end;
  }
  return text;
}

} // namespace course::progress
