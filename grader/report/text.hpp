// Text for a terminal: no wider than it is, and free of bytes that would steer it.
#pragma once

#include "language/columns.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace course::report {

struct Terminal {
  int columns = 80;    // at least 40 are used
  bool colour = false; // ANSI colours
  bool alone = true;   // not one of many on a page, which says once what holds for all: the seed,
                       // and what needs a GPU
};

// Foreign text made harmless: control bytes (escapes, carriage returns, backspaces) and what is not
// UTF-8 become '?'; tabs become spaces up to multiples of 8; newlines stay.
std::string printable(std::string_view);

// Columns of a printable line, and spaces up to some: language/columns.hpp.
using language::columns;
using language::padded;

// Words in lines of at most `width` columns with `indent` spaces before each, a newline after each.
// Where characters are wide (Chinese), lines are broken between them too, and none begins with a
// mark that belongs to the line before.
// A longer word has a line of its own and is cut into pieces where even that is too short.
std::string wrapped(std::string_view text, int width, int indent);

// A text without the spaces behind wide marks, which wrapped() leaves out: such a mark is its own
// space. Spaces that set columns apart, more than one, stay.
std::string tightened(std::string_view text);

// A text for wrapped() that stays on one line where a line is long enough for it: a command to type
// or to copy. Its spaces are no-break spaces until then.
std::string unbroken(std::string_view text);

std::vector<std::string> lines_of(std::string_view text); // without their newlines

enum class Ink { plain, bold, faint, red, green, yellow };
std::string inked(std::string_view text, Ink, const Terminal&);

} // namespace course::report
