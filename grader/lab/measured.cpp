#include "lab/measured.hpp"

#include "lab/data_rows.hpp"
#include "system/file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace course::lab {
namespace {

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
  if (!text) table.fail(fmt::format("'{}' cannot be read", file.string()));
  auto rows = data_rows(*text);
  if (rows.empty()) return {};
  Rows read{rows.front(), {rows.begin() + 1, rows.end()}};
  for (const auto& row : read.rows)
    if (row.size() != read.heading.size())
      table.fail(fmt::format("`{}` in `{}` has not as many fields as the heading",
                             fmt::join(row, ","), file.filename().string()));
  return read;
}

double number_of(const Node& node, const std::string& text) {
  const auto number = number_in(text);
  if (!number) node.fail(fmt::format("`{}` is no number", text));
  return *number;
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
