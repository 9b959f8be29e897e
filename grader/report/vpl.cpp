#include "report/vpl.hpp"

#include "report/markup.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

#include <sstream>

namespace course::report {
namespace {

std::string as_it_is(const std::string& text) {
  std::istringstream lines(without_colour(text));
  std::string shown;
  for (std::string line; std::getline(lines, line);) shown += ">" + line + "\n";
  return shown;
}

} // namespace

std::string vpl(const GradedStudent& student) {
  std::string text = "<|--\n";
  for (const auto& problem : student.problems) text += as_it_is(problem);
  for (const auto& exercise : student.exercises) {
    text += fmt::format("-{}: {}\n", exercise.id, outcome(exercise));
    text += as_it_is(exercise.wide.empty() ? reason(exercise) : exercise.wide);
  }
  text += as_it_is(student.late);
  return text + fmt::format("--|>\n\nGrade :=>> {:.2f}\n", student.score);
}

} // namespace course::report
