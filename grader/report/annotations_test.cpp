#include "report/annotations.hpp"

#include "report/hand_made_students.hpp"
#include "report/text.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace course::report {
namespace {

std::size_t count(const std::string& text, const std::string& start) {
  const auto lines = lines_of(text);
  return std::count_if(lines.begin(), lines.end(),
                       [&](const auto& line) { return line.starts_with(start); });
}

} // namespace

TEST_CASE("a failed check is an error beside its line") {
  const auto text = annotations(hand_made::student());
  CHECK(text.find("::error file=my work/05_transpose/2_pad.cu,line=29,"
                  "title=05_transpose/2_pad conflicts::") != text.npos);
  CHECK(text.find("::error file=my work/05_transpose/4_any_shape.cu,line=22,"
                  "title=05_transpose/4_any_shape compile::identifier") != text.npos);
}

TEST_CASE("a student's words cannot become a command, a property or a line") {
  GradedStudent student;
  student.exercises = {hand_made::graded("conflicts", "a/b")};
  auto& exercise = student.exercises[0];
  exercise.path = "a,line=1::b.cu";
  for (auto& check : exercise.checks) check.message = "50%\n::error::forged";
  const auto text = annotations(student);
  CHECK(count(text, "::error file=a%2Cline=1%3A%3Ab.cu,line=29") == 1);
  CHECK(count(text, "::error::forged") == 0);
  CHECK(text.find("50%25%0A::error::forged") != text.npos);
}

TEST_CASE("there are no more annotations than GitHub shows, and warnings have their own room") {
  GradedStudent student;
  student.exercises = {hand_made::graded("did_not_compile", "a/b")};
  auto& compiler = student.exercises[0].compiler;
  for (int i = 1; i < 30; ++i) {
    compiler += "b.cu(" + std::to_string(i) + "): error: no\n";
    compiler += "b.cu(" + std::to_string(i) + "): warning #177-D: unused\n";
  }
  const auto text = annotations(student);
  CHECK(count(text, "::error ") == 10);
  CHECK(count(text, "::warning ") == 10);
}

} // namespace course::report
