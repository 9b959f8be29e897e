// Where in a line something stands, for editors, which count UTF-16 code units.
#pragma once

#include "report/quote.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course::report {

struct Columns {
  std::uint32_t from = 0, to = 0; // to is one past the end
};

class SourceLines {
public:
  explicit SourceLines(std::string_view text);

  std::uint32_t count() const { return static_cast<std::uint32_t>(lines_.size()); }
  // The line without the blanks at both of its ends; zeros for one that is not there.
  Columns text_of(std::uint32_t line) const;
  // One past its last character.
  std::uint32_t end_of(std::uint32_t line) const;
  // What quote.hpp underlines, in its own columns (tabs are several); else the line's text.
  Columns underlined(std::uint32_t line, std::optional<Underline>) const;
  // The first line with this name before a parenthesis; 0 without one.
  std::uint32_t first_with(std::string_view name) const;

private:
  std::vector<std::string> lines_; // as they are
};

} // namespace course::report
