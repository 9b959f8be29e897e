#include "lab/data_rows.hpp"

#include "system/fields.hpp"

#include <charconv>
#include <sstream>

namespace course::lab {

std::vector<Fields> data_rows(const std::string& text) {
  std::vector<Fields> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    rows.push_back(system::fields_of(line));
  }
  return rows;
}

std::optional<double> number_in(const std::string& field) {
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
  return value;
}

} // namespace course::lab
