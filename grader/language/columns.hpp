// How wide a text is on a terminal: a Chinese character takes two columns, an accent none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace course::language {

// Columns of a printable line of UTF-8, by wcwidth. A code point of no known width counts as one,
// as does a byte that is not UTF-8.
std::size_t columns(std::string_view);

// The first `most` columns at most; no code point is cut.
std::string_view head(std::string_view, std::size_t most);

// With spaces behind it, or before it, up to so many columns.
std::string padded(std::string_view, std::size_t columns);
std::string right(std::string_view, std::size_t columns);

// The bytes of the first code point, and the columns it takes. The text is not empty.
struct CodePoint {
  std::size_t bytes = 1;
  int columns = 1;
};
CodePoint first(std::string_view);

} // namespace course::language
