#include "report/launches/fitted_table.hpp"

#include <algorithm>

namespace course::report {

namespace {

constexpr std::size_t kGap = 2; // columns between columns

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

std::size_t Table::shown_width(std::size_t column) const {
  return std::max(width(column), columns(columns_[column].title));
}

std::vector<std::size_t> Table::fitting(std::span<const Table> tables, const Terminal& terminal,
                                        int indent) {
  std::vector<std::size_t> shown;
  if (tables.empty()) return shown;
  const auto& columns_ = tables.front().columns_;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (std::ranges::any_of(tables, [&](const Table& table) { return table.width(i) > 0; }))
      shown.push_back(i);
  const auto room = static_cast<std::size_t>(std::max(terminal.columns - indent, 0));
  const auto total = [&] {
    std::size_t widest = 0;
    for (const Table& table : tables) {
      std::size_t sum = 0;
      for (const auto i : shown) sum += table.shown_width(i) + kGap;
      widest = std::max(widest, sum == 0 ? 0 : sum - kGap);
    }
    return widest;
  };
  while (total() > room) {
    const auto least = std::max_element(shown.begin(), shown.end(), [&](auto a, auto b) {
      return columns_[a].leave_out < columns_[b].leave_out;
    });
    if (least == shown.end() || columns_[*least].leave_out == 0) break;
    shown.erase(least);
  }
  return shown;
}

std::string Table::text(const Terminal& terminal, int indent,
                        const std::vector<std::size_t>& shown) const {
  const auto line = [&](auto cell_of) {
    std::string out = spaces(static_cast<std::size_t>(indent));
    for (std::size_t place = 0; place < shown.size(); ++place) {
      const auto i = shown[place];
      const Cell cell = cell_of(i);
      const auto padding = spaces(shown_width(i) - columns(cell.text));
      const auto inked_text = cell.text.empty() ? "" : inked(cell.text, cell.ink, terminal);
      out += columns_[i].right ? padding + inked_text : inked_text + padding;
      if (place + 1 < shown.size()) out += spaces(kGap);
    }
    drop_end(out);
    return out + "\n";
  };
  std::string out = line([&](std::size_t i) { return Cell{columns_[i].title, Ink::faint}; });
  for (const auto& row : rows_) out += line([&](std::size_t i) { return row[i]; });
  return out;
}

} // namespace course::report
