#include "classroom/platform_tables.hpp"

#include "report/csv.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::classroom {
namespace {

std::string row_of_cells(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) row += (i > 0 ? "," : "") + cells[i];
  return row + "\r\n";
}

std::string in_points(double points) {
  return fmt::format("{:.2f}", points);
}

std::string scaled(double score, double most, double possible) {
  return most > 0 ? in_points(score * possible / most) : "";
}

std::string feedback_of(const report::GradedStudent& student) {
  std::string text;
  const auto add = [&](const std::string& one) {
    if (!one.empty()) text += (text.empty() ? "" : " ") + one;
  };
  for (const auto& exercise : student.exercises)
    add(fmt::format("{}: {}.", exercise.id,
                    exercise.decided.empty() ? report::outcome(exercise) : exercise.decided));
  add(student.late.empty() ? "" : student.late + ".");
  for (const auto& comment : student.comments) add(comment);
  return text;
}

} // namespace

PlatformTables::PlatformTables(std::vector<report::GradedLab> labs, double total)
    : labs_(std::move(labs)), total_(total) {
  for (auto& lab : labs_)
    if (lab.column.empty()) lab.column = lab.lab;
}

std::vector<std::string> PlatformTables::cells(const report::GradedStudent& student) const {
  std::vector<std::string> cells;
  for (const auto& column : labs_) {
    const auto lab = std::find_if(student.labs.begin(), student.labs.end(),
                                  [&](const auto& one) { return one.lab == column.lab; });
    cells.push_back(
        lab == student.labs.end() ? "" : scaled(lab->score, lab->max_score, column.max_score));
  }
  return cells;
}

std::string PlatformTables::canvas_header() const {
  std::vector<std::string> names{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
  std::vector<std::string> points{"    Points Possible", "", "", "", ""};
  for (const auto& lab : labs_) {
    names.push_back(report::csv_cell(lab.column));
    points.push_back(in_points(lab.max_score));
  }
  return row_of_cells(names) + row_of_cells(points);
}

std::string PlatformTables::canvas_row(const report::GradedStudent& student) const {
  if (student.platform.empty()) return ""; // Canvas would not know whose row it is
  std::vector<std::string> row;
  for (const auto& cell : {student.sortable.empty() ? student.name : student.sortable,
                           student.platform, student.school_id, student.login, student.section})
    row.push_back(report::csv_cell(cell));
  const auto grades = cells(student);
  row.insert(row.end(), grades.begin(), grades.end());
  return row_of_cells(row);
}

std::string PlatformTables::moodle_header() const {
  std::vector<std::string> names{"ID number", "Username", "Email address", "Full name"};
  for (const auto& lab : labs_) names.push_back(report::csv_cell(lab.column));
  names.insert(names.end(), {"Total", "Percent", "Feedback"});
  return row_of_cells(names);
}

std::string PlatformTables::moodle_row(const report::GradedStudent& student) const {
  std::vector<std::string> row;
  for (const auto& cell : {student.school_id, student.login, student.email, student.name})
    row.push_back(report::csv_cell(cell));
  const auto grades = cells(student);
  row.insert(row.end(), grades.begin(), grades.end());
  row.push_back(scaled(student.score, student.max_score, total_));
  row.push_back(scaled(student.score, student.max_score, 100));
  row.push_back(report::csv_cell(feedback_of(student)));
  return row_of_cells(row);
}

} // namespace course::classroom
