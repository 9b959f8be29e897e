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

  // Which columns are shown, by number, and how far apart they stand.
  struct Fit {
    std::vector<std::size_t> columns;
    std::size_t gap = 2;
  };

  // Titles and rows, `indent` spaces before each. A column without any text is left out.
  std::string text(const Terminal& terminal, int indent) const {
    return text(terminal, indent, fitting({this, 1}, terminal, indent));
  }
  std::string text(const Terminal&, int indent, const Fit&) const;

  // What tables of the same kind have in common, so that a reader finds in one what there is in
  // another: the columns that fit in each, where it has any text in them.
  static Fit fitting(std::span<const Table>, const Terminal&, int indent);

private:
  std::size_t width(std::size_t column) const; // 0: no text
  std::size_t width(const Fit&) const;         // of its rows

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

} // namespace course::report
