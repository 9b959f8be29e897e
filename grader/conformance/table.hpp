// Tables of what a GPU measured, as CSV: the committed files of book/data/h200.
//
// Lines that start with # are remarks: device, driver, toolkit, date, command. The first other line
// names the columns. A field may stand in double quotes, with "" for one of them.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace course::conformance {

using Row = std::map<std::string, std::string>; // by column

struct Table {
  std::vector<std::string> remarks; // without the #
  std::vector<Row> rows;
};

// A sentence with the line's number where a line has not as many fields as there are columns, or a
// quote that does not end.
std::variant<Table, std::string> read_table(std::istream&);

std::string quoted(const std::string& field); // as it stands in a file

} // namespace course::conformance
