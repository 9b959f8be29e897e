#include "report/graded.hpp"

#include "language/translate.hpp"
#include "report/words/check_table.hpp"

#include <algorithm>
#include <cmath>

namespace course::report {
namespace {

judge::Status status(const std::string& name) {
  using judge::Status;
  return name == "passed"   ? Status::passed
         : name == "failed" ? Status::failed
                            : Status::not_measured;
}

GradedCheck graded_check(const nlohmann::json& json) {
  GradedCheck check;
  check.name = json.at("name");
  check.status = status(json.at("status"));
  check.observed = json.at("observed");
  check.limit = json.at("limit");
  check.message = json.at("message");
  check.points = json.at("points");
  check.max_points = json.at("max_points");
  check.line = json.value("line", 0u);
  return check;
}

// A failed check in a sentence.
std::string sentence(const GradedCheck& check) {
  const auto name = check_name(check.name);
  if (!check.message.empty()) return tr("{}: {}", name, check.message);
  if (check.limit.empty()) return tr("{}: {}", name, check.observed);
  return tr("{}: {}, limit {}", name, check.observed, check.limit);
}

} // namespace

const char* name(State state) {
  switch (state) {
  case State::graded:
    return "graded";
  case State::missing:
    return "missing";
  case State::refused:
    return "refused";
  case State::not_graded:
    return "not_graded";
  }
  return "not_graded";
}

bool GradedExercise::counts() const {
  if (state == State::graded) return verdict != "set_up";
  return state != State::not_graded;
}

GradedExercise graded_exercise(const nlohmann::json& verdict) {
  GradedExercise graded;
  graded.state = State::graded;
  graded.id = verdict.at("exercise");
  graded.path = verdict.at("file");
  graded.verdict = verdict.at("verdict");
  graded.points = verdict.at("points");
  graded.max_points = verdict.at("max_points");
  graded.headline = verdict.at("headline");
  graded.advice = verdict.at("advice");
  graded.compiler = verdict.at("compiler");
  for (const auto& check : verdict.at("checks")) graded.checks.push_back(graded_check(check));
  return graded;
}

std::string outcome(const GradedExercise& exercise) {
  if (exercise.state == State::missing) return trc("an exercise", "missing");
  if (exercise.state == State::refused) return trc("an exercise", "refused");
  if (exercise.state == State::not_graded) return trc("an exercise", "not graded");
  auto words = language::translated("an ending", exercise.verdict.c_str());
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string reason(const GradedExercise& exercise) {
  if (exercise.state != State::graded) return exercise.reason;
  if (exercise.verdict == "not_measurable")
    return tr("{} It counts as 0 points until an instructor decides.", exercise.headline);
  if (!exercise.headline.empty()) return exercise.headline;
  for (const auto& check : exercise.checks)
    if (check.status == judge::Status::failed) return sentence(check);
  return "";
}

nlohmann::ordered_json json_number(double value) {
  const auto whole = std::llround(value);
  if (static_cast<double>(whole) == value) return whole;
  return value;
}

bool is_of_submission(const GradedStudent& student, const GradedExercise& exercise) {
  const auto why = reason(exercise);
  return !why.empty() && std::ranges::any_of(student.problems, [&](const auto& problem) {
    return problem.ends_with(why);
  });
}

} // namespace course::report
