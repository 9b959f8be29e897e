#include "classroom/csv_table.hpp"

#include "classroom/text_encoding.hpp"

#include <algorithm>

namespace course::classroom {
namespace {

// What the first line has most of.
char separator_of(std::string_view text) {
  const auto line = text.substr(0, text.find('\n'));
  char best = ',';
  for (const char one : {';', '\t'})
    if (std::count(line.begin(), line.end(), one) > std::count(line.begin(), line.end(), best))
      best = one;
  return best;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

} // namespace

std::vector<CsvRow> csv_rows_of(std::string_view bytes) {
  const auto text = utf8_of(bytes);
  const char separator = separator_of(text);
  std::vector<CsvRow> rows;
  CsvRow row{1, {}};
  std::string cell;
  bool quoted = false, was_quoted = false;
  std::size_t line = 1;
  const auto end_cell = [&] {
    row.cells.push_back(was_quoted ? cell : trimmed(cell));
    cell.clear();
    was_quoted = false;
  };
  const auto end_row = [&] {
    end_cell();
    if (std::any_of(row.cells.begin(), row.cells.end(), [](auto& one) { return !one.empty(); }))
      rows.push_back(std::move(row));
    row = {line, {}};
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted) {
      const bool twice = c == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (c != '"' || twice) cell += c;
      if (twice) ++i;
      if (c == '"' && !twice) quoted = false;
    } else if (c == '"' && trimmed(cell).empty()) {
      quoted = was_quoted = true;
      cell.clear();
    } else if (c == separator) {
      end_cell();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      cell += c;
    }
  }
  end_row();
  return rows;
}

CsvTable::CsvTable(std::string_view bytes) : rows_(csv_rows_of(bytes)) {
  if (rows_.empty()) return;
  columns_ = rows_.front().cells;
  rows_.erase(rows_.begin());
  for (std::size_t i = 0; i < columns_.size(); ++i) by_name_.try_emplace(folded(columns_[i]), i);
}

bool CsvTable::has(std::string_view column) const {
  return by_name_.count(folded(column)) > 0;
}

std::string CsvTable::cell(const CsvRow& row,
                           std::initializer_list<std::string_view> columns) const {
  for (const auto& column : columns) {
    const auto at = by_name_.find(folded(column));
    if (at != by_name_.end()) return at->second < row.cells.size() ? row.cells[at->second] : "";
  }
  return "";
}

} // namespace course::classroom
