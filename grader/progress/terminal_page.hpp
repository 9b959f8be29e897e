// A page for a terminal: a title, a line of status, a body that can be longer than the screen, and
// a line of keys. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace course::progress {

struct Size {
  int columns = 80, rows = 24;

  bool operator==(const Size&) const = default;
};

struct Page {
  std::string title, status, body; // may hold ANSI colours; only `body` has several lines
  std::size_t from = 0;            // the body's first line that is shown
  std::vector<std::string> keys;   // the same in several widths, the longest first
};

// The page as lines that fit the screen, each ended by a newline but the last: as many as there are
// rows, and none wider than the columns. The keys are on the last one, in the first width that has
// room; where the body goes on, they begin with how to see more.
std::string page_text(const Page&, Size);

// The same, written over what is there without a flicker: for a terminal that knows ANSI sequences.
std::string painted(const Page&, Size);

// Lines of the body that have room, and the largest `from` that still fills them.
std::size_t body_rows(Size);
std::size_t last_from(const Page&, Size);

// The first `most` columns of a line; ANSI colours take none, and are ended where they are cut.
std::string cropped(std::string_view line, int most);

} // namespace course::progress
