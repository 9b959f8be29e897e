#include "report/launches/fitted_table.hpp"

#include <algorithm>

namespace course::report {

namespace {

constexpr int kMatters = 4; // of Column::leave_out, and what is less

std::string spaces(std::size_t count) {
  return std::string(count, ' ');
}

void drop_end(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

} // namespace

std::size_t Table::width(std::size_t column) const {
  std::size_t widest = 0;
  for (const auto& row : rows_) widest = std::max(widest, columns(row[column].text));
  return widest == 0 ? 0 : std::max(widest, columns(columns_[column].title));
}

std::size_t Table::width(const Fit& fit) const {
  std::size_t sum = 0, count = 0;
  for (const auto i : fit.columns) {
    if (width(i) == 0) continue;
    sum += width(i);
    ++count;
  }
  return sum + (count > 1 ? (count - 1) * fit.gap : 0);
}

Table::Fit Table::fitting(std::span<const Table> tables, const Terminal& terminal, int indent) {
  Fit fit;
  if (tables.empty()) return fit;
  const auto& titles = tables.front().columns_;
  for (std::size_t i = 0; i < titles.size(); ++i)
    if (std::ranges::any_of(tables, [&](const Table& table) { return table.width(i) > 0; }))
      fit.columns.push_back(i);
  const auto room = static_cast<std::size_t>(std::max(terminal.columns - indent, 0));
  const auto fits = [&] {
    return std::ranges::all_of(tables,
                               [&](const Table& table) { return table.width(fit) <= room; });
  };
  while (!fits()) {
    const auto least = std::ranges::max_element(fit.columns, {},
                                                [&](std::size_t i) { return titles[i].leave_out; });
    const int leave_out = least == fit.columns.end() ? 0 : titles[*least].leave_out;
    if (leave_out == 0) break;
    // What matters more stands closer before it is left out.
    if (leave_out <= kMatters && fit.gap > 1) {
      fit.gap = 1;
      continue;
    }
    fit.columns.erase(least);
  }
  return fit;
}

std::string Table::text(const Terminal& terminal, int indent, const Fit& fit) const {
  std::vector<std::size_t> shown;
  for (const auto i : fit.columns)
    if (width(i) > 0) shown.push_back(i);
  const auto line = [&](auto cell_of) {
    std::string out = spaces(static_cast<std::size_t>(indent));
    for (std::size_t place = 0; place < shown.size(); ++place) {
      const auto i = shown[place];
      const Cell cell = cell_of(i);
      const auto padding = spaces(width(i) - columns(cell.text));
      const auto inked_text = cell.text.empty() ? "" : inked(cell.text, cell.ink, terminal);
      out += columns_[i].right ? padding + inked_text : inked_text + padding;
      if (place + 1 < shown.size()) out += spaces(fit.gap);
    }
    drop_end(out);
    return out + "\n";
  };
  std::string out = line([&](std::size_t i) { return Cell{columns_[i].title, Ink::faint}; });
  for (const auto& row : rows_) out += line([&](std::size_t i) { return row[i]; });
  return out;
}

} // namespace course::report
