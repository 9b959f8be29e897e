#include "conformance/table.hpp"

#include <istream>
#include <optional>

namespace course::conformance {
namespace {

std::optional<std::vector<std::string>> fields(const std::string& line) {
  std::vector<std::string> result{""};
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
      result.back() += '"';
      ++i;
    } else if (line[i] == '"') {
      inside = !inside;
    } else if (line[i] == ',' && !inside) {
      result.emplace_back();
    } else {
      result.back() += line[i];
    }
  }
  if (inside) return {};
  return result;
}

} // namespace

std::variant<Table, std::string> read_table(std::istream& stream) {
  Table table;
  std::vector<std::string> columns;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (line[0] == '#') {
      table.remarks.push_back(line.substr(line.find_first_not_of("# ", 0) == line.npos
                                              ? line.size()
                                              : line.find_first_not_of("# ", 0)));
      continue;
    }
    const auto found = fields(line);
    const auto where = "line " + std::to_string(number);
    if (!found) return where + ": a quote does not end";
    if (columns.empty()) {
      columns = *found;
      continue;
    }
    if (found->size() != columns.size())
      return where + ": " + std::to_string(found->size()) + " fields, and " +
             std::to_string(columns.size()) + " columns";
    auto& row = table.rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = (*found)[i];
  }
  return table;
}

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"") == field.npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

} // namespace course::conformance
