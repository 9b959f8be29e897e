#include "report/junit.hpp"

#include "report/markup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {
namespace {

struct Suite {
  int tests = 0, failures = 0, skipped = 0;
  double seconds = 0;
  std::string cases;
};

std::string property(const char* name, int value) {
  return fmt::format("<property name=\"{}\" value=\"{}\"/>", name, value);
}

std::string start_of_case(const GradedExercise& exercise, const std::string& name, double seconds) {
  return fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">",
                     escaped(exercise.id), escaped(name), seconds);
}

void add_failure(Suite& suite, const std::string& type, const std::string& message) {
  ++suite.failures;
  suite.cases +=
      fmt::format("<failure type=\"{}\" message=\"{}\"/>", escaped(type), escaped(message));
}

void add_skipped(Suite& suite, const std::string& message) {
  ++suite.skipped;
  suite.cases += fmt::format("<skipped message=\"{}\"/>", escaped(message));
}

// An exercise that was not graded is one case.
void add_ungraded(Suite& suite, const GradedExercise& exercise) {
  ++suite.tests;
  suite.cases += start_of_case(exercise, "handed in", 0);
  if (exercise.counts()) {
    suite.cases += "<properties>" + property("score", 0) +
                   property("max_score", exercise.max_points) + "</properties>";
    add_failure(suite, name(exercise.state), exercise.reason);
  } else {
    add_skipped(suite, exercise.reason);
  }
  suite.cases += "</testcase>\n";
}

void add_check(Suite& suite, const GradedExercise& exercise, const GradedCheck& check,
               double seconds) {
  ++suite.tests;
  suite.cases += start_of_case(exercise, check.name, seconds);
  if (check.max_points > 0)
    suite.cases += "<properties>" + property("score", check.points) +
                   property("max_score", check.max_points) + "</properties>";
  auto words = check.message.empty() ? check.observed : check.message;
  if (!check.limit.empty() && check.message.empty()) words += ", limit " + check.limit;
  if (check.status == judge::Status::failed) {
    add_failure(suite, exercise.verdict, words);
  } else if (check.status == judge::Status::not_measured) {
    add_skipped(suite, words.empty() ? reason(exercise) : words);
  }
  suite.cases += "</testcase>\n";
}

// Its checks have no answer, which is not to look like tests that were left out.
void add_not_measurable(Suite& suite, const GradedExercise& exercise) {
  ++suite.tests;
  suite.cases += start_of_case(exercise, "can be measured", 0);
  add_failure(suite, exercise.verdict, reason(exercise));
  suite.cases += "</testcase>\n";
}

// What a person decided is a case of its own: the checks are as they were measured.
void add_decided(Suite& suite, const GradedExercise& exercise) {
  ++suite.tests;
  suite.cases += start_of_case(exercise, "decided", 0);
  suite.cases += "<properties>" + property("score", exercise.points) +
                 property("max_score", exercise.max_points) + "</properties><system-out>" +
                 escaped(exercise.decided) + "</system-out></testcase>\n";
}

} // namespace

std::string junit_start() {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"course\">\n";
}

std::string junit_end() {
  return "</testsuites>\n";
}

std::string junit(const GradedStudent& student) {
  Suite suite;
  for (const auto& exercise : student.exercises) {
    suite.seconds += exercise.seconds;
    if (exercise.state != State::graded) add_ungraded(suite, exercise);
    if (exercise.verdict == "not_measurable") add_not_measurable(suite, exercise);
    if (!exercise.decided.empty()) add_decided(suite, exercise);
    for (std::size_t i = 0; i < exercise.checks.size(); ++i)
      add_check(suite, exercise, exercise.checks[i], i == 0 ? exercise.seconds : 0);
  }
  std::string problems;
  for (const auto& problem : student.problems) problems += escaped(problem) + "\n";
  if (!problems.empty()) problems = "    <system-err>" + problems + "</system-err>\n";
  return fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
                     "skipped=\"{}\" time=\"{:.3f}\">\n"
                     "    <properties><property name=\"score\" value=\"{:.2f}\"/>"
                     "<property name=\"max_score\" value=\"{:.2f}\"/></properties>\n"
                     "{}{}  </testsuite>\n",
                     escaped(student.name), suite.tests, suite.failures, suite.skipped,
                     suite.seconds, student.score, student.max_score, suite.cases, problems);
}

} // namespace course::report
