// A table of numbers that fits its terminal: the columns that matter least are left out first.
#pragma once

#include "report/text.hpp"

#include <span>
#include <string>
#include <vector>

namespace course::report {

class Table {
public:
  struct Column {
    std::string title;
    bool right = true; // numbers
    int leave_out = 0; // where there is no room: the highest first; 0 never
  };
  struct Cell {
    std::string text; // printable; empty for what a row does not have
    Ink ink = Ink::plain;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns.
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }

  // Titles and rows, `indent` spaces before each. A column without any text is left out.
  std::string text(const Terminal& terminal, int indent) const {
    return text(terminal, indent, fitting({this, 1}, terminal, indent));
  }
  // The same with these columns, by number, empty or not.
  std::string text(const Terminal&, int indent, const std::vector<std::size_t>& shown) const;

  // The columns that tables of the same kind have, so that a reader finds in one what there is in
  // another: those with text in any of them, as far as they fit in all.
  static std::vector<std::size_t> fitting(std::span<const Table>, const Terminal&, int indent);

private:
  std::size_t width(std::size_t column) const; // 0: no text
  std::size_t shown_width(std::size_t column) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

} // namespace course::report
