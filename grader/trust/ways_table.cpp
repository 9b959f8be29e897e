#include "trust/ways_table.hpp"

#include <fmt/format.h>

#include <map>

namespace course::trust {
namespace {

struct Row {
  std::size_t passed = 0, all = 0;
  std::string ideas;

  void add(const Case& one, const Result& result) {
    ++all;
    if (!ideas.empty()) ideas += "; ";
    ideas += one.declared.idea;
    if (result.complaints.empty())
      ++passed;
    else
      ideas += fmt::format(" (**{}**)", result.verdict);
  }
};

} // namespace

std::string table_of_ways(const std::vector<Case>& cases, const std::vector<Result>& results) {
  std::map<std::string, Row> rows;
  std::size_t passed = 0, all = 0;
  for (const auto& result : results) {
    const auto& one = cases.at(result.index);
    if (one.declared.kind != Declaration::Kind::control) continue;
    rows[one.declared.exercise].add(one, result);
    passed += result.complaints.empty();
    ++all;
  }
  std::string text = "| exercise | passed | honest ways |\n| --- | ---: | --- |\n";
  for (const auto& [exercise, row] : rows)
    text += fmt::format("| {} | {} of {} | {} |\n", exercise, row.passed, row.all, row.ideas);
  return text +
         fmt::format("\n{} of {} honest ways pass, over {} exercises.\n", passed, all, rows.size());
}

} // namespace course::trust
