#include "progress/terminal_page.hpp"

#include "language/columns.hpp"
#include "language/translate.hpp"
#include "report/text.hpp"

#include <algorithm>
#include <vector>

namespace course::progress {
namespace {

constexpr std::size_t kFrame = 4; // title, status, the blank line under them, keys

// The length of a colour's sequence ("\033[1;31m") that the text begins with; 0 when it does not.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const auto end = text.find_first_not_of("0123456789;", 2);
  return end != text.npos && text[end] == 'm' ? end + 1 : 0;
}

std::string widest_that_fits(const std::vector<std::string>& texts, int columns) {
  for (const auto& text : texts)
    if (cropped(text, columns) == text) return text;
  return texts.empty() ? "" : texts.back();
}

} // namespace

std::string cropped(std::string_view line, int most) {
  std::string text;
  bool coloured = false;
  for (int column = 0; !line.empty();) {
    std::size_t length = colour_length(line);
    if (length > 0) {
      coloured = line.substr(0, length) != "\033[0m";
    } else {
      const auto next = language::first(line);
      column += next.columns;
      if (column > most) break;
      length = next.bytes;
    }
    text += line.substr(0, length);
    line.remove_prefix(length);
  }
  return coloured ? text + "\033[0m" : text;
}

std::size_t body_rows(Size size) {
  return size.rows > static_cast<int>(kFrame) ? size.rows - kFrame : 0;
}

std::size_t last_from(const Page& page, Size size) {
  const auto lines = report::lines_of(page.body).size();
  return lines - std::min(lines, body_rows(size));
}

std::string page_text(const Page& page, Size size) {
  const auto body = report::lines_of(page.body);
  const auto room = body_rows(size), from = std::min(page.from, last_from(page, size));
  std::vector<std::string> lines{page.title, page.status, ""};
  for (std::size_t i = 0; i < room; ++i)
    lines.push_back(from + i < body.size() ? body[from + i] : "");
  const auto below = body.size() - std::min(body.size(), from + room);
  std::string more;
  if (below > 0) {
    more = tr("space: {} more  ", below);
  } else if (from > 0) {
    more = tr("b back  ");
  }
  lines.push_back(
      more + widest_that_fits(page.keys, size.columns - static_cast<int>(report::columns(more))));
  // On a screen too small for all, the keys go last.
  while (lines.size() > static_cast<std::size_t>(std::max(size.rows, 1))) lines.pop_back();
  std::string text;
  for (const auto& line : lines) {
    if (&line != &lines.front()) text += '\n';
    text += cropped(line, size.columns);
  }
  return text;
}

std::string painted(const Page& page, Size size) {
  constexpr std::string_view kToTop = "\033[H", kClearLine = "\033[K", kClearRest = "\033[J";
  std::string text(kToTop);
  bool first = true;
  for (const auto& line : report::lines_of(page_text(page, size))) {
    if (!first) text += "\r\n";
    first = false;
    // Before the text: past the last column, the cursor is still on it.
    text.append(kClearLine).append(line);
  }
  return text.append(kClearRest);
}

} // namespace course::progress
