#include "conformance/known.hpp"

#include <algorithm>

namespace course::conformance {

std::variant<std::vector<Known>, std::string> known_in(const Table& table) {
  std::vector<Known> all;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const auto where = "row " + std::to_string(i + 1) + ": ";
    for (const char* column : {"file", "shape", "difference", "why"})
      if (!row.count(column)) return where + "there is no column " + column;
    for (const char* column : {"file", "difference", "why"})
      if (row.at(column).empty()) return where + "the column " + column + " says nothing";
    all.push_back({row.at("file"), row.at("shape"), row.at("difference"), row.at("why")});
  }
  return all;
}

Compared compared(const Outcome& outcome, const std::vector<Known>& known) {
  using Kind = Outcome::Kind;
  if (outcome.kind != Kind::equal && outcome.kind != Kind::unequal) return {};
  std::vector<std::string> listed;
  for (const Known& one : known)
    if (one.file == outcome.measured.file && one.shape == outcome.measured.shape)
      listed.push_back(one.difference);
  Compared result;
  const auto has = [](const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  for (const auto& difference : outcome.differences)
    if (!has(listed, difference)) result.faults.push_back(difference);
  for (const auto& difference : listed)
    if (!has(outcome.differences, difference))
      result.faults.push_back("listed as known, and not so any more: " + difference);
  result.as_known = !listed.empty() && result.faults.empty();
  return result;
}

} // namespace course::conformance
