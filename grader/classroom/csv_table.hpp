// Tables of other programs: CSV (RFC 4180), with commas, semicolons or tabs, in any encoding.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace course::classroom {

struct CsvRow {
  std::size_t line = 0; // in the file, from 1
  std::vector<std::string> cells;
};

// Rows without a cell that says anything are left out. Never fails: what is no CSV has odd rows.
std::vector<CsvRow> csv_rows_of(std::string_view bytes);

// A table whose first row says what the columns are. Names are compared as folded() makes them.
class CsvTable {
public:
  explicit CsvTable(std::string_view bytes);

  bool has(std::string_view column) const;
  // The first column of these that is there, in a row; empty when there is none.
  std::string cell(const CsvRow&, std::initializer_list<std::string_view> columns) const;
  const std::vector<CsvRow>& rows() const { return rows_; }
  const std::vector<std::string>& columns() const { return columns_; }

private:
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<CsvRow> rows_;
};

} // namespace course::classroom
