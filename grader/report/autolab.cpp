#include "report/autolab.hpp"

#include "report/text.hpp"

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

Json stage(const GradedExercise& exercise) {
  Json stage = Json::object();
  if (exercise.state != State::graded || exercise.checks.empty()) {
    stage["handed in"] = {{"passed", false}, {"hint", printable(reason(exercise))}};
    return stage;
  }
  if (exercise.verdict == "not_measurable")
    stage["can be measured"] = {{"passed", false}, {"hint", printable(reason(exercise))}};
  for (const auto& check : exercise.checks) {
    if (check.status == judge::Status::not_measured) continue;
    const bool passed = check.status == judge::Status::passed;
    stage[check.name] = {{"passed", passed}};
    if (!passed)
      stage[check.name]["hint"] = printable(check.message.empty() ? check.observed : check.message);
  }
  return stage;
}

} // namespace

std::string autolab(const GradedStudent& student) {
  Json semantic{{"_presentation", "semantic"}, {"stages", Json::array()}};
  Json scores = Json::object();
  for (const auto& exercise : student.exercises) {
    semantic["stages"].push_back(exercise.id);
    semantic[exercise.id] = stage(exercise);
    if (exercise.counts()) scores[exercise.id] = exercise.score;
  }
  return line(semantic) + line({{"scores", scores}, {"scoreboard", Json::array({student.score})}});
}

} // namespace course::report
