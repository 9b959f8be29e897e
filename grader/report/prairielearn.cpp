#include "report/prairielearn.hpp"

#include "report/markup.hpp"
#include "report/text.hpp"

#include <algorithm>

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMost = 900'000; // bytes of all reports; the service takes 1 MB of JSON
constexpr std::size_t kSafety = 2;     // JSON needs two bytes for a newline or a quote mark

// Whole lines, at most `most` bytes of them.
std::string head(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto end = text.rfind('\n', most);
  return text.substr(0, end == text.npos ? 0 : end + 1);
}

} // namespace

nlohmann::ordered_json prairielearn(const GradedStudent& student) {
  Json tests = Json::array(), errors = Json::array();
  for (const auto& problem : student.problems) errors.push_back(printable(problem));
  const auto room = kMost / kSafety / std::max<std::size_t>(student.exercises.size(), 1);
  bool graded = false;
  for (const auto& exercise : student.exercises) {
    if (exercise.state == State::refused) errors.push_back(printable(exercise.reason));
    if (!exercise.counts()) continue;
    graded = graded || exercise.state == State::graded;
    tests.push_back({{"name", exercise.id},
                     {"description", exercise.title},
                     {"points", json_number(exercise.points)},
                     {"max_points", exercise.max_points},
                     {"message", printable(reason(exercise))},
                     {"output", head(without_colour(exercise.wide), room)}});
  }
  const double share = student.max_score > 0 ? student.score / student.max_score : 0;
  Json json{{"gradable", graded},
            {"score", std::clamp(share, 0.0, 1.0)},
            {"message", printable(student.late)},
            {"tests", tests}};
  if (!errors.empty()) json["format_errors"] = errors;
  return json;
}

} // namespace course::report
