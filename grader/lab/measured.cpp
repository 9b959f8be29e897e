#include "lab/measured.hpp"

#include "system/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <vector>

namespace course::lab {
namespace {

using Fields = std::vector<std::string>;

Fields split_at_commas(const std::string& line) {
  Fields fields;
  std::istringstream rest(line);
  for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
  return fields;
}

// A heading and rows, each as long as the heading.
struct Rows {
  Fields heading;
  std::vector<Fields> rows;

  const std::string& field(const Fields& row, const Node& column, const std::string& name) const {
    const auto found = std::ranges::find(heading, name);
    if (found == heading.end()) column.fail(fmt::format("the table has no column `{}`", name));
    return row[static_cast<std::size_t>(found - heading.begin())];
  }
};

Rows rows_of(const Node& table, const std::filesystem::path& file) {
  const auto text = system::content_of(file);
  if (!text) table.fail(file.string() + " cannot be read");
  Rows read;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    auto fields = split_at_commas(line);
    if (read.heading.empty()) {
      read.heading = std::move(fields);
      continue;
    }
    if (fields.size() != read.heading.size())
      table.fail(fmt::format("`{}` in {} has not as many fields as the heading", line,
                             file.filename().string()));
    read.rows.push_back(std::move(fields));
  }
  return read;
}

double number_of(const Node& node, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    node.fail(fmt::format("`{}` is no number", text));
  return value;
}

} // namespace

std::optional<std::map<std::string, double>> read_measured(const Node& measured,
                                                           const std::filesystem::path& data) {
  const auto said = measured.table({"table", "column", "rows"});
  std::error_code none;
  if (!std::filesystem::exists(data / said["table"].text(), none)) return std::nullopt;
  const auto table = rows_of(said["table"], data / said["table"].text());
  const auto column = said["column"].text();
  const auto wanted = said["rows"].table();
  std::map<std::string, double> numbers;
  for (const auto& name : wanted.keys()) {
    const auto keys = wanted[name].table();
    const auto fits = [&](const Fields& row) {
      return std::ranges::all_of(keys.keys(), [&](const std::string& key) {
        return table.field(row, keys[key], key) == keys[key].text();
      });
    };
    if (std::ranges::count_if(table.rows, fits) != 1)
      wanted[name].fail(fmt::format("{} rows of the table fit, and one should",
                                    std::ranges::count_if(table.rows, fits)));
    const auto row = std::ranges::find_if(table.rows, fits);
    numbers[name] = number_of(wanted[name], table.field(*row, said["column"], column));
  }
  return numbers;
}

} // namespace course::lab
