#include "report/gradescope.hpp"

#include "report/markup.hpp"
#include "report/text.hpp"

#include <fmt/format.h>

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

Json test(const GradedExercise& exercise, std::size_t number, const char* visibility) {
  Json test{{"name", exercise.id + (exercise.title.empty() ? "" : ": " + exercise.title)},
            {"number", std::to_string(number)}};
  if (exercise.counts()) {
    test["score"] = json_number(exercise.points);
    test["max_score"] = exercise.max_points;
    test["status"] = exercise.passed() ? "passed" : "failed";
  }
  const auto report = without_colour(exercise.wide);
  test["output"] = report.empty() ? printable(reason(exercise)) : report;
  if (!exercise.decided.empty())
    test["output"] = printable(exercise.decided) + "\n\n" + test["output"].get<std::string>();
  test["output_format"] = "text";
  test["tags"] = Json::array({exercise.lab()});
  test["visibility"] = visibility;
  return test;
}

} // namespace

nlohmann::ordered_json gradescope(const GradedStudent& student, bool published) {
  const char* visibility = published ? "visible" : "after_published";
  double seconds = 0;
  Json tests = Json::array();
  for (const auto& exercise : student.exercises) {
    tests.push_back(test(exercise, tests.size() + 1, visibility));
    seconds += exercise.seconds;
  }
  std::string words = student.late;
  for (const auto* said : {&student.problems, &student.comments})
    for (const auto& one : *said) words += (words.empty() ? "" : "\n") + one;
  return {{"score", student.score},
          {"execution_time", seconds},
          {"output", printable(words)},
          {"output_format", "text"},
          {"visibility", "visible"},
          {"stdout_visibility", "hidden"}, // the grader's own; a student cannot write there
          {"tests", tests}};
}

} // namespace course::report
