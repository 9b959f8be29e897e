#include "report/csv.hpp"

#include "language/translate.hpp"
#include "report/page.hpp"
#include "report/text.hpp"
#include "system/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

std::string failed_checks(const GradedExercise& exercise) {
  std::string names;
  for (const auto& check : exercise.checks)
    if (check.status == judge::Status::failed) names += (names.empty() ? "" : " ") + check.name;
  return names;
}

// What keeps a person from having all that was graded, as far as nobody has decided yet.
std::vector<std::string> to_look_at(const GradedStudent& student) {
  auto all = student.problems;
  for (const auto& exercise : student.exercises)
    if (exercise.decided.empty() &&
        (exercise.state == State::refused || exercise.verdict == "not_measurable") &&
        !is_of_submission(student, exercise))
      all.push_back(tr("{}: {}", exercise.id, reason(exercise)));
  return all;
}

} // namespace

std::string csv_cell(std::string_view foreign) {
  // Some programs pass over blanks before a formula.
  const auto first = foreign.find_first_not_of(" \n");
  const bool formula =
      first != foreign.npos && std::string_view("=+-@\t\r").find(foreign[first]) != foreign.npos;
  std::string text = formula ? "'" : "";
  text += printable(foreign);
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.find_first_of(",\"") == text.npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  cell += '"';
  return cell;
}

std::string csv_rows(const GradedStudent& student) {
  std::string rows;
  for (const auto& exercise : student.exercises) {
    const bool counts = exercise.counts();
    rows += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_cell(student.name),
                        csv_cell(exercise.lab()), csv_cell(exercise.id), name(exercise.state),
                        exercise.verdict, counts ? number(exercise.points) : "",
                        counts ? std::to_string(exercise.max_points) : "",
                        csv_cell(failed_checks(exercise)), csv_cell(reason(exercise)),
                        csv_cell(exercise.late), exercise.handed_in, csv_cell(exercise.clock),
                        csv_cell(exercise.decided), csv_cell(exercise.path), csv_cell(student.id));
  }
  return rows;
}

std::string totals_row(const GradedStudent& student) {
  const double percent = student.max_score > 0 ? 100 * student.score / student.max_score : 0;
  std::string decided;
  for (const auto& exercise : student.exercises)
    if (!exercise.decided.empty())
      decided += (decided.empty() ? "" : "; ") + exercise.id + ": " + exercise.decided;
  return fmt::format("{},{:.2f},{:.2f},{:.2f},{},{},{},{},{},{},{},{}\r\n", csv_cell(student.name),
                     student.score, student.max_score, percent, csv_cell(student.late),
                     csv_cell(system::joined(to_look_at(student), " ")),
                     csv_cell(system::joined(student.notes, " ")), csv_cell(student.school_id),
                     csv_cell(student.email), csv_cell(student.section), csv_cell(student.team),
                     csv_cell(decided));
}

} // namespace course::report
