// Fields of a line, between separators and without quotes: the course's own tables of measurements.
// (Tables of other programs: classroom/csv_table.hpp.)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course::system {

// At least one field, which may be empty.
inline std::vector<std::string> fields_of(std::string_view line, char separator = ',') {
  std::vector<std::string> fields;
  for (;;) {
    const auto end = line.find(separator);
    fields.emplace_back(line.substr(0, end));
    if (end == line.npos) return fields;
    line.remove_prefix(end + 1);
  }
}

inline std::string joined(const std::vector<std::string>& fields, std::string_view separator) {
  std::string text;
  for (const auto& field : fields) {
    if (&field != fields.data()) text += separator;
    text += field;
  }
  return text;
}

} // namespace course::system
